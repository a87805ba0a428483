/// When something is due for a job. Appointments are never taken out: whoever reads one asks whether it still stands.
struct Timetable: Sendable {
    private struct Appointment: Comparable, Sendable {
        var time: Timestamp
        var job: Int

        static func < (one: Appointment, other: Appointment) -> Bool { (one.time, one.job) < (other.time, other.job) }
    }

    private var appointments = MinHeap<Appointment>()

    mutating func add(_ job: Int, at time: Timestamp) { appointments.insert(Appointment(time: time, job: job)) }

    /// Jobs whose time has come, earliest first.
    mutating func due(at now: Timestamp, stands: (Int, Timestamp) -> Bool) -> [Int] {
        var jobs: [Int] = []
        while let next = appointments.min, next.time <= now {
            _ = appointments.popMin()
            if stands(next.job, next.time) { jobs.append(next.job) }
        }
        return jobs
    }

    /// The time of the next appointment that stands.
    mutating func next(stands: (Int, Timestamp) -> Bool) -> Timestamp? {
        while let next = appointments.min {
            if stands(next.job, next.time) { return next.time }
            _ = appointments.popMin()
        }
        return nil
    }
}
