import Synchronization

/// A clock that stands still until a test moves it; seconds.
public final class ManualClock: Sendable {
    private let time = Mutex(0.0)

    public init() {}

    public var now: Double {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}
