import Basics
import Foundation

/// The time of day at the start, moved on by a clock that nobody sets: when the machine's clock is put forward or back in the night,
/// no deadline passes early and no pause becomes an hour longer. It goes on while the machine sleeps, as servers do.
enum SteadyClock {
    static func started(at start: Date = Date()) -> @Sendable () -> Date {
        let origin = ContinuousClock.now
        return { start.addingTimeInterval((ContinuousClock.now - origin).seconds) }
    }
}
