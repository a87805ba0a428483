/// When the bytes of a growing file are flushed: what is not flushed comes again after a power cut.
///
/// Fifty milliseconds behind the flush before, if there are 16 KiB to flush, so that the file system's own bookkeeping (some 16 KiB
/// for a flush) at most doubles what is written; a second behind it, whatever there is. A disk that is slow to flush gets three
/// times as long to itself. `Benchmarks/README.md` has what that costs.
struct FlushPace {
    static let interval = Duration.milliseconds(50)
    static let patience = Duration.seconds(1)
    static let enough = 16 << 10
    /// At most one part in so many of the time is spent flushing.
    static let share = 4

    private(set) var flushed: Int
    private var begun: ContinuousClock.Instant
    private var ended: ContinuousClock.Instant

    /// The first flush needs no pause.
    init(flushed: Int, at now: ContinuousClock.Instant) {
        (self.flushed, begun, ended) = (flushed, now - Self.patience, now - Self.patience)
    }

    /// No flush before this.
    var next: ContinuousClock.Instant { ended + max(Self.interval, begun.duration(to: ended) * (Self.share - 1)) }

    func isDue(_ size: Int, at now: ContinuousClock.Instant) -> Bool {
        size > flushed && now >= (size - flushed >= Self.enough ? next : max(next, ended + Self.patience))
    }

    mutating func flushed(_ size: Int, from begun: ContinuousClock.Instant, to ended: ContinuousClock.Instant) {
        (flushed, self.begun, self.ended) = (max(flushed, size), begun, ended)
    }
}
