import Basics
import Planning

extension Failure {
    /// The result is not at its place any more: only a new job brings it back.
    var isResultGone: Bool { phase == .download && (code == 404 || code == 410) }

    public init(state error: SQLiteError) {
        self.init(
            phase: .state, kind: .storage, code: Int(error.code), message: error.message, details: [error.statement])
    }

    init(_ phase: Phase, _ error: SystemError) {
        self.init(
            phase: phase, kind: .storage, code: Int(error.code), message: error.message, details: ["\(error.call) \(error.path)"])
    }
}
