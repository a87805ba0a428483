import Basics

/// How far a job on a server is, in one shape for all families of jobs (REST reference 4.4, 6.5).
public struct ServerJobStatus: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        case running
        /// A word that no list has: still running, until the deadline says otherwise (cases B07).
        case unknown
        case succeeded
        /// Done, but the server had problems: its messages say which.
        case succeededWithErrors
        case failed
        case cancelled
        /// The server does not know the job any more.
        case gone

        public var isFinal: Bool { self != .running && self != .unknown }
    }

    public struct Message: Sendable, Hashable {
        /// `esriJobMessageTypeError` …; empty when the server does not say.
        public var type: String
        public var text: String

        public var isError: Bool { type.lowercased().hasSuffix("error") || type.lowercased().hasSuffix("abort") }
    }

    /// Where it answered; the form of the URL that works is the one to ask next time.
    public var url: String
    public var state: State
    /// The server's own word.
    public var word: String
    public var messages: [Message]
    /// Why it failed, in the server's words; empty when it did not, or did not say.
    public var errorMessage: String
    public var errorDetails: [String]
    public var errorCode: Int?
    /// The whole answer.
    public var result: JSON

    /// A job's answer. nil when it has no status word: then it is an error, or no job.
    public init?(url: String, answer: JSON) {
        guard let word = (answer["jobStatus"] ?? answer["status"])?.string else { return nil }
        self.url = url
        self.word = word
        state = Self.state(of: word)
        result = answer
        // Seen in the singular too (recorded answers).
        let list = answer["messages"]?.array ?? answer["message"]?.array ?? []
        messages = list.compactMap { item in
            (item.string ?? item["description"]?.string ?? item["message"]?.string).map {
                Message(type: item["type"]?.string ?? "", text: $0)
            }
        }
        let error = answer["error"]
        errorCode = error?["code"]?.int
        errorDetails = ErrorEnvelope.texts(error?["details"])
        guard state == .failed || state == .succeededWithErrors || state == .cancelled else {
            errorMessage = ""
            return
        }
        // Error messages first, then the error member, then whatever was said last (REST reference 6.5).
        let errors = messages.filter(\.isError).map(\.text)
        let words = [error?["message"], error?["description"], error, answer["statusMessage"], answer["message"]]
        let spoken = words.lazy.compactMap { $0?.string }.first { !$0.isEmpty }
        errorMessage = errors.isEmpty ? spoken ?? messages.last?.text ?? "" : errors.joined(separator: " ")
    }

    /// A job that the server denies knowing.
    static func gone(url: String, error: ArcGISError) -> ServerJobStatus {
        var status = ServerJobStatus(url: url)
        status.errorMessage = error.message
        status.errorDetails = error.details
        status.errorCode = error.code
        return status
    }

    private init(url: String) {
        self.url = url
        state = .gone
        word = ""
        messages = []
        errorMessage = ""
        errorDetails = []
        result = .null
    }

    /// The vocabulary of REST reference 4.4; case does not count, and a failure may be glued to its phase.
    static func state(of word: String) -> State {
        var word = word.trimmed.lowercased()
        for prefix in ["esrijob", "status"] where word.hasPrefix(prefix) { word = String(word.dropFirst(prefix.count)) }
        switch word {
        case "completed", "succeeded", "success": return .succeeded
        case "completedwitherrors", "completed with errors", "partialsucceeded": return .succeededWithErrors
        case "failed", "timedout", "error", "deleted": return .failed
        case "cancelled", "canceled": return .cancelled
        default:
            if word.hasPrefix("failed") { return .failed }
            return runningWords.contains(word) ? .running : .unknown
        }
    }

    /// It failed for a reason of the request: the same request will fail again. Decided by codes, those of geoprocessing tools
    /// included, which stand in the messages: `ERROR 001564: Requested tile count(…) exceeds the maximum allowed …`.
    public var isRefusal: Bool {
        guard state == .failed else { return false }
        if let errorCode { return (400..<500).contains(errorCode) && errorCode != 408 && errorCode != 429 }
        return ([errorMessage] + messages.map(\.text)).contains { text in
            Self.refusals.contains { text.contains("ERROR \($0)") }
        }
    }

    /// 001564: more tiles than the service exports at once.
    private static let refusals = ["001564"]

    private static let runningWords: Set<String> = [
        "pending", "inprogress", "executing", "importchanges", "exportchanges", "exportingdata", "exportingsnapshot",
        "exportattachments", "importattachments", "provisioningreplica", "unregisteringreplica", "new", "submitted", "waiting",
        "cancelling", "deleting", "processing", "partial",
    ]

    /// Where the file of a finished replica job is, under any of its names; nil while there is none (REST reference 4.3, 4.4).
    public var resultURL: String? { ReplicaAnswer.fileURL(in: result, base: url) }

    /// The replica that the job made, to be unregistered when it was registered.
    public var replicaID: String? { ReplicaAnswer.replicaID(in: result) }
}
