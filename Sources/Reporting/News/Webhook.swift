import Basics
import Foundation
import Planning

/// The verdict as JSON, signed as Standard Webhooks 1.0 says: the receiver checks `webhook-signature` over
/// `<webhook-id>.<webhook-timestamp>.<body>` and refuses old timestamps.
public struct Webhook: Sendable, Equatable {
    public var body: String
    /// Names in lower case.
    public var headers: [(name: String, value: String)]

    public static func == (a: Webhook, b: Webhook) -> Bool {
        a.body == b.body && a.headers.map { [$0.name, $0.value] } == b.headers.map { [$0.name, $0.value] }
    }

    public init(_ report: RunReport, secret: Secret, now: Date) {
        body = Self.json(report).serialized()
        // The same report sent again has the same id, by which receivers know it.
        let identity = "\(report.name)\n\(ISOTime.text(report.started))\n\(ISOTime.text(report.finished))"
        let id = "run_" + SHA256.hex(of: identity).prefix(24)
        let timestamp = String(Int(now.timeIntervalSince1970))
        let signature = HMAC.sha256("\(id).\(timestamp).\(body)".utf8, key: Self.key(secret))
        headers = [
            ("content-type", "application/json"), ("webhook-id", id), ("webhook-timestamp", timestamp),
            ("webhook-signature", "v1," + Data(signature).base64EncodedString()),
        ]
    }

    private static func key(_ secret: Secret) -> [UInt8] {
        let text = secret.reveal()
        let prefix = "whsec_"
        let encoded = text.hasPrefix(prefix) ? Data(base64Encoded: String(text.dropFirst(prefix.count))) : nil
        return encoded.map(Array.init) ?? Array(text.utf8)
    }

    /// What somebody must know before opening the report; areas that are as they should be are counted only.
    static func json(_ report: RunReport) -> JSON {
        let standings = Dictionary(grouping: report.areas, by: \.standing)
        func ids(_ standing: AreaReport.Standing) -> JSON { .array((standings[standing] ?? []).map { .string($0.id) }) }
        let data: JSON = [
            "name": .string(report.name), "outcome": .string(report.outcome.rawValue), "exitCode": JSON(report.exitCode),
            "verdict": .string(Headline(report: report).sentence),
            "started": .string(ISOTime.text(report.started)),
            "finished": .string(ISOTime.text(report.finished)),
            "areas": [
                "total": JSON(report.areas.count), "new": JSON(standings[.new]?.count ?? 0),
                "unchanged": JSON(standings[.unchanged]?.count ?? 0), "partial": ids(.partial), "stale": ids(.stale),
                "kept": ids(.kept), "missing": ids(.missing),
            ],
            "problems": .array(ToDo(report: report).entries.map(json)),
            "changes": report.changes.map { changes in
                [
                    "newlyFailing": JSON(changes.newlyFailing.count), "recovered": JSON(changes.recovered.count),
                    "rows": JSON(changes.rows), "bytes": JSON(changes.bytes),
                ]
            } ?? .null,
        ]
        return ["type": "run.finished", "timestamp": .string(ISOTime.text(report.finished)), "data": data]
    }

    private static func json(_ entry: ToDo.Entry) -> JSON {
        [
            "layers": .array(entry.layers.map { .string(Wording.foreign($0)) }), "areas": .array(entry.areas.map(JSON.string)),
            "what": .string(Wording.foreign(entry.what)), "details": .array(entry.details.map { .string(Wording.foreign($0)) }),
            "origin": entry.origin.map(JSON.string) ?? .null, "next": .string(entry.next),
        ]
    }
}
