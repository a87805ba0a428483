import Basics
import Foundation
import Packaging
import Planning

/// How much room a run needs at least, file system by file system (demand D21). Pure but for `measure`.
public struct SpaceNeed: Sendable, Equatable {
    /// One file system, by a path on it.
    public struct Place: Sendable, Equatable {
        public var path: String
        public var free: Int
        public var needed: Int
    }

    /// Kept free for state and documents: a database on a full disk is the last thing one wants at night.
    public static let reserve = 4_000_000

    /// All that will be fetched; a file for several areas comes once.
    public var total = 0
    public var byArea: [String: Int] = [:]

    /// By the plan's estimates and the size of a local base map, else by what the jobs brought for the current map; a job of which neither is known counts nothing.
    public init(_ jobs: [Job], before: [String: Int], isDone: (String) -> Bool) {
        var keys: Set<String> = []
        for job in jobs where job.kind != .package && job.kind != .publish && !isDone(job.id) {
            let bytes = job.estimate.bytes?.low ?? job.work.basemap?.bytes ?? before[job.id] ?? 0
            byArea[job.area, default: 0] += bytes
            if keys.insert(job.key).inserted { total += bytes }
        }
    }

    /// Why there is not room enough; nil when there is.
    public static func problem(at places: [Place]) -> Failure? {
        for place in places where place.needed + reserve > place.free {
            return Failure(
                phase: .plan, kind: .storage,
                message: "no space for this run: it needs at least \(place.needed) bytes and a reserve of \(reserve), "
                    + "\(place.free) are free",
                details: [place.path])
        }
        return nil
    }

    /// The file systems of the state, where everything arrives, and of the areas: on the same one files are linked and take no
    /// room twice, on others they are copied. Blocks.
    public func measure(state: String, output: String) throws(SystemError) -> [Place] {
        let stateDevice = try FileStatus.of(state).identity.device
        var places = [stateDevice: Place(path: state, free: try Files.freeSpace(at: state), needed: total)]
        for (area, bytes) in byArea.sorted(by: { $0.key < $1.key }) {
            let own = Paths.join(output, area)
            let folder = Files.isDirectory(own) ? own : output
            let device = try FileStatus.of(folder + "/.").identity.device
            if device == stateDevice { continue }
            let free = try Files.freeSpace(at: folder)
            places[device, default: Place(path: folder, free: free, needed: 0)].needed += bytes
        }
        return places.values.sorted { $0.path < $1.path }
    }

    /// What the current maps take on the disk together; nil when there is none. Blocks.
    public static func lastNight(output: String) -> Int? {
        let folder = OutputFolder(output)
        let maps = ((try? folder.areas()) ?? []).compactMap { area in
            folder.generations(of: area).current.map { "\(area)/generations/\($0)" }
        }
        return maps.isEmpty ? nil : try? folder.diskBytes(of: maps)
    }
}
