/// What a look at every byte of one map found.
public struct MapCheck: Sendable, Hashable {
    public var generation: Generation
    /// Files read, and their bytes.
    public var files: Int
    public var bytes: Int
    public var damages: [MapDamage]
    /// Paths below the folder that the inventory does not list: not ours, and no damage.
    public var extras: [String]

    public init(generation: Generation, files: Int = 0, bytes: Int = 0, damages: [MapDamage] = [], extras: [String] = []) {
        self.generation = generation
        self.files = files
        self.bytes = bytes
        self.damages = damages
        self.extras = extras
    }

    public var isWhole: Bool { damages.isEmpty }
}

public struct MapDamage: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case missing
        /// A folder or a link stands in its place.
        case notAFile
        case size(expected: Int, found: Int)
        /// Another hash than on record: its bytes have changed.
        case content
        /// The file system's words.
        case unreadable(String)
        /// The package does not hold what it was proven to hold.
        case package(String)
        /// Why the inventory is of no use.
        case inventory(String)
    }

    /// Below the map's folder.
    public var path: String
    public var kind: Kind

    public init(_ path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }
}

/// One line of `prune`: what becomes of a map.
public struct PruneRow: Sendable, Hashable {
    public enum Result: Sendable, Hashable {
        /// Nothing was done: it stays, or this was a rehearsal.
        case decided
        case removed
        /// Our files are gone; files of others keep the folder.
        case removedButForeign
        case failed(String)
    }

    public var generation: Generation
    public var verdict: RetentionVerdict
    public var result: Result

    public init(generation: Generation, verdict: RetentionVerdict, result: Result = .decided) {
        self.generation = generation
        self.verdict = verdict
        self.result = result
    }

    public var goes: Bool { if case .goes = verdict { true } else { false } }
}
