import Basics
import Foundation
import Planning

/// The room on the disks of state and maps while a run writes (demand D21). What is about to fill one ends the run softly, while there
/// is room for what the run has to remember: the next one goes on from there.
struct SpaceWatch: Sendable {
    /// Where a step writes.
    enum Place: Sendable, Equatable {
        /// Results, what is made of local files, and the record of every step.
        case state
        /// The map of an area, which may be on a file system of its own.
        case maps(area: String)
    }

    /// A run begins with `SpaceNeed.reserve`; this much of it stays for state and report.
    static let floor = SpaceNeed.reserve / 2

    var state: String
    var output: String
    /// Bytes on the file system of a folder. Blocks.
    var free: @Sendable (_ folder: String) throws(SystemError) -> Int = { (folder) throws(SystemError) in
        try Files.freeSpace(at: folder)
    }
    /// How often is looked while something is written.
    var interval = Duration.seconds(1)

    /// - Parameter bytes: known to come.
    /// - Throws: a failure of storage. A disk that cannot be looked at is left to whoever writes to it.
    func check(_ places: [Place], for bytes: Int = 0) async throws(Failure) {
        try await offPool { () throws(Failure) in
            for place in places {
                let folder = folder(of: place)
                guard let free = try? free(folder), free - Self.floor < bytes else { continue }
                let coming = bytes > 0 ? "\(bytes) bytes to come, " : ""
                throw Failure(
                    phase: .state, kind: .storage,
                    message: "no space to go on: \(coming)\(free) free, of which \(Self.floor) stay for state and report",
                    details: [folder])
            }
        }
    }

    /// Looks before a step of unknown size and again and again while it goes on; stops it when there is too little left.
    func during<Value: Sendable>(
        _ places: [Place], _ step: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await check(places)
        let result = await withTaskGroup(of: Result<Value, Failure>?.self) { group in
            group.addTask {
                do throws(Failure) { return .success(try await step()) } catch { return .failure(error) }
            }
            group.addTask { await watch(places).map { .failure($0) } }
            var first: Result<Value, Failure>?
            for await ended in group {
                guard first == nil, let ended else { continue }
                first = ended
                group.cancelAll()
            }
            return first
        }
        guard let result else { throw Failure(phase: .state, kind: .internal, message: "a step ended without a result") }
        return try result.get()
    }

    /// nil when it is cancelled.
    private func watch(_ places: [Place]) async -> Failure? {
        while true {
            do { try await Task.sleep(for: interval) } catch { return nil }
            do throws(Failure) { try await check(places) } catch { return error }
        }
    }

    private func folder(of place: Place) -> String {
        guard case .maps(let area) = place else { return state }
        let own = Paths.join(output, area)
        return Files.isDirectory(own) ? own : output
    }
}
