import Basics
import Foundation
import Planning

/// One thing that `doctor` looked at, as data; the words are in `DoctorWords`.
public enum Finding: Sendable, Equatable {
    // The machine
    case libraries([LibraryVersion])
    case projections(works: Bool, reason: String)
    /// The file with certificate authorities, or where one was looked for.
    case authorities(found: String?, looked: [String])
    case zone(String)
    // Disks
    case folder(path: String, exists: Bool, problem: String?)
    /// Bytes. `needed` is what the largest maps took together, nil before the first.
    case space(path: String, free: Int, needed: Int?)
    /// A folder of ours in which others may put and replace files; its permission bits.
    case openFolder(path: String, mode: UInt32)
    case links(from: String, to: String, problem: String?)
    // State
    case noState
    case state(path: String, problem: String?)
    case lock(LockState)
    case maps(whole: Int)
    case damagedMap(Generation)
    /// Nothing is current although maps are there, or `current` leads nowhere.
    case nothingCurrent(area: String, maps: Int)
    case strangeFolder(Generation)
    /// Maps of areas that the manifest does not have any more.
    case retiredAreas([String], output: String)
    case leftovers(stages: Int, downloads: Int, bytes: Int)
    // Servers
    case secrets(problem: String?)
    /// References to secrets that are too short to be masked wherever they turn up.
    case shortSecrets([String])
    case notAsked
    case portal(url: String, who: String?)
    case unreachable(Failure)
    /// Seconds that this machine's clock is ahead.
    case clock(ahead: Double)
    case replicas(kept: Int, leftOver: Int)
    /// Registered under names that this manifest gives, and not on record here.
    case strayReplicas(service: String, names: [String])
    case replicasUnknown(service: String, Failure)

    public enum LockState: Sendable, Equatable {
        case free
        case held(pid: Int32, host: String, since: Date)
        /// Its process is gone; the next run takes over by itself.
        case abandoned(pid: Int32, host: String, since: Date)
    }

    public enum Grade: String, Sendable, Comparable {
        case good, warning, problem

        private var rank: Int { self == .good ? 0 : self == .warning ? 1 : 2 }
        public static func < (one: Grade, other: Grade) -> Bool { one.rank < other.rank }
    }

    /// A clock that is off by more than this breaks certificates and tokens sooner or later.
    static let tolerableSkew = 60.0

    public var grade: Grade {
        switch self {
        case .libraries, .zone, .noState, .maps, .portal, .lock(.free), .lock(.held), .lock(.abandoned), .notAsked: .good
        case .projections(let works, _): works ? .good : .problem
        case .authorities(let found, _): found == nil ? .problem : .good
        case .folder(_, _, let problem), .state(_, let problem), .secrets(let problem): problem == nil ? .good : .problem
        case .space(_, let free, let needed): free < needed ?? 0 ? .problem : free < 1_000_000_000 ? .warning : .good
        case .links(_, _, let problem): problem == nil ? .good : .warning
        case .damagedMap(let map): map.isCurrent ? .problem : .warning
        case .nothingCurrent: .problem
        case .strangeFolder: .good
        case .leftovers: .good
        case .unreachable: .problem
        case .clock(let ahead): abs(ahead) > Self.tolerableSkew ? .problem : .good
        case .replicas(_, let leftOver): leftOver > 0 ? .warning : .good
        case .strayReplicas, .replicasUnknown, .shortSecrets, .openFolder, .retiredAreas: .warning
        }
    }
}
