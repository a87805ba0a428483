import Planning

/// What verification found in a good file. A bad one throws a `Failure` of kind `.verification`.
struct Proof: Sendable, Equatable {
    var fileExtension: String
    var warnings: [String] = []
    /// Rows by layer or tiles by level.
    var counts: [String: Int] = [:]
}

extension Failure {
    static func verification(_ message: String, _ details: [String] = []) -> Failure {
        Failure(phase: .verify, kind: .verification, message: message, details: details)
    }
}
