import Basics
import Foundation
import Planning

/// One replica of ours, for people and programs.
public struct ReplicaRow: Sendable, Equatable {
    public enum Standing: Sendable, Equatable {
        case registered, goneAtServer, unregistered
        case failed(Failure)
    }

    public var service: String
    public var id: String
    public var name: String
    public var job: String
    public var since: Date
    /// It stays for later synchronisation; otherwise a run unregisters it.
    public var isKept: Bool
    public var standing: Standing

    public init(
        service: String, id: String, name: String, job: String, since: Date, isKept: Bool, standing: Standing
    ) {
        self.service = service
        self.id = id
        self.name = name
        self.job = job
        self.since = since
        self.isKept = isKept
        self.standing = standing
    }
}

/// `replicas list` and `replicas unregister` for people; times are local.
public struct ReplicaText: Sendable {
    public var rows: [ReplicaRow]
    public var page: Page

    public init(rows: [ReplicaRow], page: Page) {
        self.rows = rows
        self.page = page
    }

    public var lines: [String] {
        if rows.isEmpty { return ["No replica of ours is on record."] }
        let columns: [TextTable.Column] = [
            .init(title: "AT THE SERVER"), .init(title: "SINCE"), .init(title: "FOR"),
            .init(title: "ID", isFlexible: true, minimum: 36),
            .init(title: "NAME", isFlexible: true), .init(title: "JOB", isFlexible: true, minimum: 16),
            .init(title: "SERVICE", isFlexible: true, minimum: 24),
        ]
        let cells: [[TextTable.Cell]] = rows.map { row in
            [
                .init(row.standing.word, row.standing.colour), .init(Moment.local(row.since, in: page.zone)),
                .init(row.isKept ? "synchronisation" : "its download"), .init(row.id), .init(row.name), .init(row.job),
                .init(row.service),
            ]
        }
        return TextTable(columns: columns, rows: cells).lines(page: page) + failures + next
    }

    /// A copy that an app has of such a replica cannot be synchronised.
    private var next: [String] {
        let gone = rows.filter { $0.isKept && $0.standing == .goneAtServer }
        if gone.isEmpty { return [] }
        return [
            "",
            "\(Quantity.count(gone.count, "replica is", "replicas are")) gone from the server; the next run fetches anew what current maps have of \(gone.count == 1 ? "it" : "them").",
        ]
    }

    private var failures: [String] {
        let lines = rows.compactMap { row in
            row.standing.failure.map { page.ink("! \(row.id): \(Wording.summary(of: $0))", .yellow) }
        }
        return lines.isEmpty ? [] : [""] + lines
    }
}

/// The same with `--json`; times are UTC.
public enum ReplicaJSON {
    public static func json(_ rows: [ReplicaRow]) -> JSON {
        [
            "replicas": .array(
                rows.map { row in
                    [
                        "service": .string(row.service), "id": .string(row.id), "name": .string(row.name),
                        "job": .string(row.job), "since": .string(ISOTime.text(row.since)), "kept": .bool(row.isKept),
                        "standing": .string(row.standing.word), "knownToServer": row.standing.isKnown,
                        "error": row.standing.failure.map { .string(Wording.summary(of: $0)) } ?? .null,
                    ]
                })
        ]
    }
}

extension ReplicaRow.Standing {
    public var failure: Failure? { if case .failed(let failure) = self { failure } else { nil } }

    fileprivate var word: String {
        switch self {
        case .registered: "registered"
        case .goneAtServer: "gone"
        case .unregistered: "unregistered"
        case .failed: "unknown"
        }
    }

    fileprivate var colour: Ink.Colour? {
        switch self {
        case .registered: nil
        case .unregistered: .green
        case .goneAtServer, .failed: .yellow
        }
    }

    fileprivate var isKnown: JSON {
        switch self {
        case .registered: true
        case .goneAtServer, .unregistered: false
        case .failed: .null
        }
    }
}
