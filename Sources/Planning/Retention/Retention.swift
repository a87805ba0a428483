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
    /// Only what is older than the current map can go (demand D19). A damaged map takes no place among those that are kept.
    public func decide(_ generations: [Generation], now: Date) -> [RetentionVerdict] {
        let current = generations.first(where: \.isCurrent)
        return generations.map { generation in
            if generation.isCurrent { return .stays(.current) }
            if !generation.isOurs { return .stays(.notOurs) }
            guard let current else { return .stays(.nothingIsCurrent) }
            if current.name < generation.name { return .stays(.newerThanCurrent) }
            let newer = generations.filter { $0.isComplete && $0.name > generation.name }
            if let count, newer.count >= count { return .goes(.beyondCount(newer.count)) }
            guard let ageSeconds, now.timeIntervalSince(generation.time) > Double(ageSeconds) else {
                return .stays(.withinLimits)
            }
            let isNextToCurrent = newer.allSatisfy { $0.name >= current.name }
            return isNextToCurrent ? .stays(.beforeCurrent) : .goes(.olderThan(seconds: ageSeconds))
        }
    }
}
