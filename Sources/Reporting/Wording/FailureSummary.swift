import Planning

extension Wording {
    /// What went wrong in one line: where in the job, the server's code and its words.
    public static func summary(of failure: Failure) -> String {
        // Nothing went wrong here, but in the job that the details name.
        if failure.kind == .upstream { return ([answer(of: failure)] + details(of: failure)).joined(separator: ": ") }
        return "\(words(for: failure.phase)): \(answer(of: failure))"
    }

    /// The code and the words as they came, without secrets and on one line.
    static func answer(of failure: Failure) -> String {
        // The system's words say what its number says.
        let code = failure.kind == .storage ? nil : failure.code.map(String.init)
        let message = clean(failure.message)
        // Libraries that put the code into their words would say it twice.
        guard let code, !message.hasPrefix(code) else { return message.isEmpty ? words(for: failure.kind) : message }
        return message.isEmpty ? code : "\(code) \(message)"
    }

    static func details(of failure: Failure) -> [String] { failure.details.map(clean).filter { !$0.isEmpty } }

    static func words(for kind: Failure.Class) -> String {
        switch kind {
        case .transient: "a fault that may heal by itself"
        case .permanent: "refused for good"
        case .denied: "not allowed"
        case .verification: "what came is not what was asked for"
        case .serverJob: "the server could not do the job"
        case .storage: "the local disk"
        case .deadline: "not finished in time"
        case .cancelled: "stopped"
        case .upstream: "a job that it waits for has failed"
        case .internal: "a bug of offline-batch"
        }
    }
}
