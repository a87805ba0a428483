import Testing

/// One cell of the fault matrix: what goes wrong, and what is to come of it, as data. `docs/faults.md` is made of the cells.
struct FaultCell: Sendable, CustomTestStringConvertible {
    enum Kind: String, Sendable, CaseIterable {
        case answer = "Answers to submissions and polls"
        case download = "Downloads"
        case job = "Jobs of the server"
        case service = "Portal and services"
        case machine = "The machine"
    }

    /// What happens besides the portal's rules.
    enum Event: Sendable, Equatable {
        case none
        /// The run is one of a plan that was saved before the rules held.
        case savedPlan
        /// The clock is set by so many seconds while jobs are at the server.
        case clock(Int)
        /// The file system of this folder has no byte left, from the moment when all jobs are at the server.
        case full(FullDisk)

        /// It happens while all jobs are at the server.
        var needsJobsAtServer: Bool {
            switch self {
            case .none, .savedPlan: false
            case .clock, .full: true
            }
        }
    }

    enum FullDisk: String, Sendable { case state, output }

    var kind: Kind
    var name: String
    /// As in `docs/demo-portal.md`; they are lifted before the run is started again.
    var rules = "[]"
    var flags: [String] = []
    /// Lines of the manifest.
    var extra = ""
    var event = Event.none
    /// Also part of `make test`.
    var isQuick = false
    var expected: FaultOutcome

    var testDescription: String { "\(kind.rawValue): \(name)" }
}

/// What came of a fault.
struct FaultOutcome: Sendable, Equatable {
    enum Map: String, Sendable { case new, old }

    var exit: Int32
    /// Where `current` of the area points afterwards; there was a map before.
    var map: Map
    /// Requests for new server jobs; three without a fault.
    var submissions: Int
    /// Requests for result files; three without a fault.
    var downloads: Int
    /// What the same command asks for once the fault is gone; it ends with 0 and a new map. nil where the first run did.
    var again: Int?

    /// The run got over it.
    static func healed(submissions: Int = 3, downloads: Int = 3) -> FaultOutcome {
        FaultOutcome(exit: 0, map: .new, submissions: submissions, downloads: downloads)
    }

    /// The last good map stays, and the next run asks for what is missing.
    static func failed(_ exit: Int32, submissions: Int, downloads: Int, again: Int) -> FaultOutcome {
        FaultOutcome(exit: exit, map: .old, submissions: submissions, downloads: downloads, again: again)
    }
}
