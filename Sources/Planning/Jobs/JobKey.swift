import Basics

/// The key of a job: SHA-256 of all that decides its bytes (design chapter 4).
enum JobKey {
    /// Raised when the same inputs come to make other bytes.
    private static let formatVersion: JSON = 1

    static func make(_ kind: Job.Kind, _ subject: String, _ parameters: [String: String], _ content: JSON) -> String {
        let form = parameters.sorted { $0.key < $1.key }.map { JSONObject.Member(key: $0.key, value: .string($0.value)) }
        let document: JSON = [
            "version": formatVersion, "kind": .string(kind.rawValue), "subject": .string(subject),
            "parameters": .object(JSONObject(form)), "content": content,
        ]
        return SHA256.hex(of: document.utf8(.canonical))
    }
}
