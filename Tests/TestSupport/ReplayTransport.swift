import Basics
import Synchronization
import Transport

/// Answers from a script, for tests of everything above the network.
public final class ReplayTransport: HTTPTransport {
    public typealias Answer = @Sendable (HTTPRequest) -> Result<HTTPResponse, TransportError>

    private let answer: Answer
    private let seen = Mutex<[HTTPRequest]>([])

    /// `answer` is asked for each request, also for those of downloads.
    public init(_ answer: @escaping Answer) { self.answer = answer }

    /// Gives the exchanges' answers to requests of the same method, redacted URL and redacted body; of several, one after the
    /// other, and the last again and again. What was not recorded is `.connect`.
    public convenience init(_ exchanges: [RecordedExchange]) {
        let queues = Mutex(Dictionary(grouping: exchanges) { Key($0.request) })
        let take: @Sendable (Key) -> RecordedExchange? = { key in
            queues.withLock { queues in
                guard let first = queues[key]?.first else { return nil }
                if queues[key]?.count ?? 0 > 1 { queues[key]?.removeFirst() }
                return first
            }
        }
        self.init { request in
            let exchange = take(Key(RecordingTransport.redacted(request)))
            if let response = exchange?.response { return .success(response) }
            return .failure(
                exchange?.error
                    ?? TransportError(kind: .connect, message: "Not recorded.", url: Redaction.address(request.url)))
        }
    }

    /// All requests so far, as they were sent.
    public var requests: [HTTPRequest] { seen.withLock { $0 } }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        return try answer(request).get()
    }

    /// Writes the body of a 200 to the target.
    public func download(
        _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome {
        let response = try await send(request)
        guard response.status == 200 else { return .response(response) }
        do throws(SystemError) {
            try Files.writeAtomically(response.body, to: target.path)
        } catch {
            throw TransportError(
                kind: .localStorage, message: error.message, url: Redaction.address(request.url), systemCode: error.code)
        }
        progress(response.body.count)
        return .file(
            DownloadResponse(
                status: 200, headers: response.headers, url: response.url, size: response.body.count,
                transferred: response.body.count, sha256: SHA256.hex(of: response.body), validator: response.headers["ETag"]))
    }

    private struct Key: Hashable {
        var method: HTTPRequest.Method
        var url: String
        var body: [UInt8]

        init(_ request: HTTPRequest) {
            method = request.method
            url = request.url
            body = request.body
        }
    }
}
