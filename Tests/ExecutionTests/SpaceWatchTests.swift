import Basics
import Foundation
import Planning
import Scheduling
import Synchronization
import TestSupport
import Testing

@testable import Execution

/// A run stops while there is still room for what it has to remember (demand D21).
@Suite struct SpaceWatchTests {
    /// Bytes by folder; what is not listed cannot be looked at.
    private final class Disks: Sendable {
        let free: Mutex<[String: Int]>
        init(_ free: [String: Int]) { self.free = Mutex(free) }
        func set(_ folder: String, _ bytes: Int) { free.withLock { $0[folder] = bytes } }
        func watch(_ output: String = "/maps") -> SpaceWatch {
            SpaceWatch(
                state: "/state", output: output,
                free: { [self] (folder) throws(SystemError) in
                    guard let bytes = free.withLock({ $0[folder] }) else {
                        throw SystemError(call: "statvfs", path: folder, code: ENOENT)
                    }
                    return bytes
                }, interval: .milliseconds(10))
        }
    }

    private func failure(_ body: () async throws(Failure) -> Void) async -> Failure? {
        do throws(Failure) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("two megabytes stay, and what is known to come must fit beside them; each place is looked at alone")
    func floor() async throws {
        let watch = Disks(["/state": 2_000_000, "/maps": 5_000_000]).watch()
        #expect(await failure { () throws(Failure) in try await watch.check([.state]) } == nil)
        #expect(await failure { () throws(Failure) in try await watch.check([.maps(area: "a")], for: 3_000_000) } == nil)
        let maps = await failure { () throws(Failure) in try await watch.check([.maps(area: "a")], for: 3_000_001) }
        #expect(maps?.kind == .storage && maps?.details == ["/maps"])
        #expect(
            maps?.message
                == "no space to go on: 3000001 bytes to come, 5000000 free, of which 2000000 stay for state and report")
        let state = await failure { () throws(Failure) in try await watch.check([.maps(area: "a"), .state], for: 1) }
        #expect(state?.details == ["/state"])
    }

    @Test("an area's folder may be a file system of its own; one that cannot be looked at stops nothing")
    func places() async throws {
        let folder = try TemporaryFolder()
        try Files.makeDirectory(folder.file("north"))
        let watch = Disks([folder.path: 9_000_000, folder.file("north"): 1_999_999]).watch(folder.path)
        #expect(await failure { () throws(Failure) in try await watch.check([.maps(area: "south")]) } == nil)
        let north = await failure { () throws(Failure) in try await watch.check([.maps(area: "north")]) }
        #expect(north?.details == [folder.file("north")])
        #expect(await failure { () throws(Failure) in try await watch.check([.state]) } == nil)
    }

    @Test("a step is stopped when the disk fills while it goes on, and left alone when it does not")
    func during() async throws {
        let disks = Disks(["/state": 9_000_000])
        let watch = disks.watch()
        let done = try await watch.during([.state]) { () async throws(Failure) in 7 }
        #expect(done == 7)
        let stopped = await failure { () throws(Failure) in
            try await watch.during([.state]) { () async throws(Failure) in
                disks.set("/state", 1_000_000)
                do { try await Task.sleep(for: .seconds(600)) } catch {
                    throw Failure(phase: .download, kind: .cancelled, message: "stopped")
                }
            }
        }
        #expect(stopped?.kind == .storage && stopped?.message.contains("1000000 free") == true)
        // Its own failure is its own.
        disks.set("/state", 9_000_000)
        let own = await failure { () throws(Failure) in
            try await watch.during([.state]) { () async throws(Failure) in
                throw Failure(phase: .download, kind: .transient, message: "reset")
            }
        }
        #expect(own?.message == "reset")
    }

    @Test("nothing is begun that does not fit, nor copied")
    func copies() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically([UInt8](repeating: 1, count: 100), to: folder.file("a"))
        // `/proc` is a file system without room.
        #expect(throws: SystemError.self) { try Files.requireSpace(for: 1, in: "/proc") }
        let error = #expect(throws: SystemError.self) { try Files.copy(folder.file("a"), to: "/proc/a") }
        #expect(error?.code == ENOSPC && error?.call == "100 bytes to come, 0 free in /proc")
        try Files.copy(folder.file("a"), to: folder.file("b"))
        #expect(try Files.size(folder.file("b")) == 100)
    }
}

/// The same through a whole run: what is done is kept, and the same command goes on.
@Suite(.serialized) struct FullNightTests {
    @Test("a disk that fills after the jobs were submitted ends the run with 73; with room it goes on without a new job")
    func fills() async throws {
        let stage = try NightStage()
        // The portal has all three jobs when the room is gone.
        let portal = stage.portal
        let full = await stage.night(freeSpace: { (_) throws(SystemError) in
            portal.journal.count { $0.path.hasSuffix("/createReplica") || $0.path.hasSuffix("/exportTiles") } < 3
                ? 1_000_000_000 : 1_500_000
        })
        #expect(full.report.exitCode == 73 && full.exports.count == 3)
        #expect(full.report.error?.message.hasPrefix("no space to go on: 1500000 free") == true)
        #expect(stage.map == nil)
        let again = await stage.night()
        #expect(again.report.exitCode == 0 && again.exports.isEmpty && stage.map?.parts.count == 4)
    }

    @Test("the maps' disk is full: what came is kept, no map is begun")
    func maps() async throws {
        let stage = try NightStage()
        let output = stage.output
        let full = await stage.night(freeSpace: { (folder) throws(SystemError) in
            folder.hasPrefix(output) && !folder.hasSuffix(".state") ? 100 : 1_000_000_000
        })
        #expect(full.report.exitCode == 73 && full.report.error?.details == [output])
        #expect(full.report.jobs.filter { $0.state == .done }.count == 4)
        #expect(!Files.exists(output + "/downtown/generations"))
        let again = await stage.night()
        #expect(again.report.exitCode == 0 && again.requests.allSatisfy { !$0.contains("/jobs/") })
    }
}
