import Basics
import Foundation
import Manifest

/// Which old maps of an area stay (`output.keep`), in whole seconds, so that a plan compares and hashes exactly.
public struct Retention: Codable, Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// At most so many, the current one included; nil is no limit.
    public var count: Int?
    /// None older; nil is no limit.
    public var ageSeconds: Int?

    public init(count: Int? = nil, ageSeconds: Int? = nil) {
        self.count = count
        self.ageSeconds = ageSeconds
    }

    public init(integerLiteral value: Int) { self.init(count: value) }

    public init(_ settings: KeepSettings) {
        self.init(count: settings.count, ageSeconds: settings.age.map { $0.milliseconds / 1000 })
    }
}

/// What becomes of one map when old ones are looked through, and why.
public enum RetentionVerdict: Sendable, Hashable {
    case stays(Reason)
    case goes(Cause)

    public enum Reason: Sendable, Hashable {
        case current
        /// Without a current map nothing newer and verified stands in for what would go.
        case nothingIsCurrent
        /// `current` was rolled back past it: it goes when a newer one is current.
        case newerThanCurrent
        /// The one to roll back to, whatever its age.
        case beforeCurrent
        /// The newest one that lacks no layer, up to the current one.
        case lastComplete
        case withinLimits
        /// Its inventory is not there or not readable: it may be anybody's.
        case notOurs
    }

    public enum Cause: Sendable, Hashable {
        /// So many newer ones are there.
        case beyondCount(Int)
        case olderThan(seconds: Int)
    }
}

extension Retention {
    /// Decides for the maps of one area, in the order given. Pure.
    ///
    /// Only what is older than the current map can go (demand D19), and never the last map that lacks nothing, however many newer ones
    /// lack a layer. A damaged map takes no place among those that are kept.
    public func decide(_ generations: [Generation], now: Date) -> [RetentionVerdict] {
        let current = generations.first(where: \.isCurrent)
        // What is newer than the current one was rolled back, and is no map to rely on.
        let lastComplete = generations.filter { $0.isComplete && $0.name <= current?.name ?? "" }.map(\.name).max()
        return generations.map { generation in
            if generation.isCurrent { return .stays(.current) }
            if !generation.isOurs { return .stays(.notOurs) }
            guard let current else { return .stays(.nothingIsCurrent) }
            if current.name < generation.name { return .stays(.newerThanCurrent) }
            let newer = generations.filter { $0.isWhole && $0.name > generation.name }
            guard let cause = cause(of: generation, newer.count, now) else { return .stays(.withinLimits) }
            if generation.name == lastComplete { return .stays(.lastComplete) }
            if case .olderThan = cause, newer.allSatisfy({ $0.name >= current.name }) { return .stays(.beforeCurrent) }
            return .goes(cause)
        }
    }

    private func cause(of generation: Generation, _ newer: Int, _ now: Date) -> RetentionVerdict.Cause? {
        if let count, newer >= count { return .beyondCount(newer) }
        guard let ageSeconds, now.timeIntervalSince(generation.time) > Double(ageSeconds) else { return nil }
        return .olderThan(seconds: ageSeconds)
    }
}
