import Basics

/// Why a secret could not be had. Names the reference, never the value.
public struct SecretError: Error, Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        /// The environment variable is not set, or `$CREDENTIALS_DIRECTORY` is not.
        case notSet(variable: String)
        case unreadable(SystemError)
        /// Its group or others can read the file: the permission bits.
        case openToOthers(mode: UInt32)
        case empty
        case notText
        case tooLong
        case commandNotStarted(SystemError)
        case commandFailed(status: Int32)
        case commandTimedOut(seconds: Int)
    }

    public var reference: SecretReference
    public var reason: Reason

    public init(reference: SecretReference, reason: Reason) {
        self.reference = reference
        self.reason = reason
    }
}

extension SecretError.Reason {
    init(_ failure: ChildProcess.Failure) {
        self =
            switch failure {
            case .notStarted(let error): .commandNotStarted(error)
            case .failed(let status): .commandFailed(status: status)
            case .timedOut(let seconds): .commandTimedOut(seconds: seconds)
            }
    }
}

extension SecretReference: CustomStringConvertible {
    /// As one would name it to a person; arguments of a command are left out.
    public var description: String {
        switch self {
        case .file(let path): "file \(path)"
        case .credential(let name): "credential \(name)"
        case .command(let words): "command \(words.first ?? "")"
        case .environment(let name): "environment variable \(name)"
        }
    }
}
