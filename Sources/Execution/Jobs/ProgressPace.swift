import Synchronization

/// Lets a report through at most twice a second: a download has new bytes thousands of times, and every one would be a line of the
/// log.
final class ProgressPace: Sendable {
    private static let pause = Duration.milliseconds(500)
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
        last.withLock { last in
            if let before = last, now - before < Self.pause { return false }
            last = now
            return true
        }
    }
}
