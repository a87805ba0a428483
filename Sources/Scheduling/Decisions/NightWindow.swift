/// The time by which a run is to be over, and how long areas took before (`run --finish-by`).
public struct NightWindow: Sendable, Equatable {
    public var end: Timestamp
    /// Milliseconds from an area's first step to its publication, by area; what is not known is tried.
    public var expected: [String: Timestamp]

    public init(end: Timestamp, expected: [String: Timestamp] = [:]) {
        self.end = end
        self.expected = expected
    }

    /// An area that begins now is out by the end, as far as anybody can tell.
    public func admits(_ area: String, at now: Timestamp) -> Bool { now < end && now + (expected[area] ?? 0) <= end }

    /// The areas in the order in which a short night is of most use: first those without a map, then by the age of their maps.
    /// Among equals the order given.
    public static func order(_ areas: [String], lastSuccess: [String: Timestamp]) -> [String] {
        areas.enumerated().sorted { one, other in
            let times = (lastSuccess[one.element] ?? .min, lastSuccess[other.element] ?? .min)
            return times.0 == times.1 ? one.offset < other.offset : times.0 < times.1
        }.map(\.element)
    }
}

extension Scheduler {
    /// Whether a job may begin. An area that no longer fits before the end is left whole: half a map is of no use. Who has begun
    /// goes on; a job whose file another area wants begins when one of them fits.
    mutating func fits(_ number: Int, at now: Timestamp) -> Bool {
        guard let window = policy.window else { return true }
        let areas = Set(([number] + (followers[number] ?? [])).map { jobs[$0].area })
        let fitting = areas.filter { begunAreas.contains($0) || window.admits($0, at: now) }
        begunAreas.formUnion(fitting)
        if !fitting.isEmpty { return true }
        leftAreas.formUnion(areas)
        for area in areas { leave(area) }
        return false
    }

    private mutating func leave(_ area: String) {
        for number in jobs.indices where jobs[number].area == area && !entries[number].progress.isFinal {
            // An area that may still begin wants its file.
            guard (followers[number] ?? []).allSatisfy({ leftAreas.contains(jobs[$0].area) }) else { continue }
            update(number) { $0.isLeft = true }
        }
    }
}
