import Planning
import Scheduling

/// What verification found in a good file. A bad one throws a `Failure` of kind `.verification`.
struct Proof: Sendable, Equatable {
    var fileExtension: String
    var warnings: [String] = []
    /// Rows by layer or tiles by level.
    var counts: [String: Int] = [:]

    func artifact(sha256: String, bytes: Int) -> ArtifactReference {
        ArtifactReference(sha256: sha256, bytes: bytes, fileExtension: fileExtension, warnings: warnings, counts: counts)
    }
}

extension Failure {
    static func verification(_ message: String, _ details: [String] = []) -> Failure {
        Failure(phase: .verify, kind: .verification, message: message, details: details)
    }
}
