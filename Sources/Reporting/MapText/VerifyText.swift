import Basics
import Planning

/// `verify` for people: one line a map, what is damaged below it, and what to do.
public struct VerifyText: Sendable {
    public var checks: [MapCheck]
    /// As it is typed behind a command.
    public var manifest: String
    public var page: Page

    public init(checks: [MapCheck], manifest: String, page: Page) {
        self.checks = checks
        self.manifest = manifest
        self.page = page
    }

    public var lines: [String] {
        if checks.isEmpty { return ["No map is there: nothing to verify."] }
        let damaged = checks.filter { !$0.isWhole }
        let sum =
            damaged.isEmpty
            ? page.ink("\(Quantity.count(checks.count, "map")) verified: everything is as it was published", .green)
            : page.ink("\(Quantity.count(damaged.count, "map")) of \(checks.count) damaged", .red)
        return checks.flatMap(block) + [sum] + steps(damaged)
    }

    private func block(_ check: MapCheck) -> [String] {
        let map = check.generation
        let head = "\(map.area)  \(map.name)" + (map.isCurrent ? "  current" : "")
        let read = "\(Quantity.count(check.files, "file")), \(Quantity.bytes(check.bytes))"
        let state = check.isWhole ? page.ink("whole", .green) : page.ink("damaged", .red)
        return ["\(state)  \(head)  \(read)"]
            + check.damages.map { "  ! \($0.path): \(Wording.words(for: $0.kind))".printable }
            + check.extras.prefix(5).map { "  \($0): not ours, left alone".printable }
            + (check.extras.count > 5 ? ["  and \(check.extras.count - 5) more that are not ours"] : [])
    }

    private func steps(_ damaged: [MapCheck]) -> [String] {
        damaged.filter(\.generation.isCurrent).map { check in
            let area = check.generation.area
            let whole = checks.last { $0.isWhole && $0.generation.area == area && $0.generation.name < check.generation.name }
            // A run believes sizes and dates: bytes that changed without either would stay.
            let seen = Set(check.damages.filter(\.isSeenByRuns).map(\.path))
            let refresh = check.damages.allSatisfy { seen.contains($0.path) } ? "" : "--refresh "
            let run = "`offline-batch run \(refresh)--area \(area) \(manifest)` makes it anew"
            guard let whole else { return "Next: \(run)." }
            return "Next: `offline-batch rollback \(area) --to \(whole.generation.name) \(manifest)` makes the whole one "
                + "current; \(run)."
        }
            + (damaged.allSatisfy(\.generation.isCurrent)
                ? []
                : ["Damaged maps that are not current go in their turn; `offline-batch prune --dry-run \(manifest)` shows when."])
            + (damaged.isEmpty
                ? [] : ["Look at the disk as well (`dmesg`, SMART): files that were proven do not change by themselves."])
    }
}

extension MapDamage {
    /// By the file's status alone.
    fileprivate var isSeenByRuns: Bool {
        switch kind {
        case .missing, .notAFile, .size, .inventory: true
        case .content, .unreadable, .package: false
        }
    }
}

/// `verify --json`.
public enum VerifyJSON {
    public static func json(_ checks: [MapCheck]) -> JSON {
        [
            "whole": .bool(checks.allSatisfy(\.isWhole)),
            "maps": .array(
                checks.map { check in
                    var json = GenerationJSON.json(check.generation)
                    json["whole"] = .bool(check.isWhole)
                    json["files"] = JSON(check.files)
                    json["damages"] = .array(
                        check.damages.map {
                            [
                                "path": .string($0.path), "kind": .string(Wording.name(of: $0.kind)),
                                "message": .string(Wording.words(for: $0.kind)),
                            ]
                        })
                    json["notOurs"] = .array(check.extras.map(JSON.string))
                    return json
                }),
        ]
    }
}

extension Wording {
    static func words(for damage: MapDamage.Kind) -> String {
        switch damage {
        case .missing: "it is missing"
        case .notAFile: "something else stands in its place, a folder or a link"
        case .size(let expected, let found): "\(Quantity.count(found)) of \(Quantity.count(expected)) bytes"
        case .content: "its content has changed since it was published (another SHA-256)"
        case .unreadable(let reason): "it cannot be read: \(reason)"
        case .package(let reason): "it does not hold what it held: \(reason)"
        case .inventory(let reason): "nothing can be compared: \(reason)"
        }
    }

    static func name(of damage: MapDamage.Kind) -> String {
        switch damage {
        case .missing: "missing"
        case .notAFile: "notAFile"
        case .size: "size"
        case .content: "content"
        case .unreadable: "unreadable"
        case .package: "package"
        case .inventory: "inventory"
        }
    }
}
