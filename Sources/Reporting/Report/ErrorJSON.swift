import Basics
import Planning

/// A failure as `report.json` and NDJSON write it: all keys always there, no secret in any text.
enum ErrorJSON {
    static func json(_ failure: Failure, job: JobReport? = nil) -> JSON {
        var json: JSON = [
            "phase": .string(failure.phase.rawValue), "kind": .string(failure.kind.rawValue),
            "code": failure.code.map { JSON($0) } ?? .null, "message": .string(Redaction.text(failure.message)),
            "details": .array(failure.details.map { .string(Redaction.text($0)) }),
            "next": .string(Wording.nextStep(for: failure, job: job)),
            "lastStatus": failure.lastStatus.map {
                ["word": .string(Redaction.text($0.word)), "seconds": .number(($0.seconds * 1000).rounded() / 1000)]
            } ?? .null,
        ]
        if let seconds = failure.retryAfterSeconds { json["retryAfterSeconds"] = .number(seconds) }
        return json
    }
}
