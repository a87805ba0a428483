import Basics
import Foundation
import TestSupport
import Testing

/// `generations`, `rollback`, `verify` and `prune` on maps that runs made.
@Suite(.serialized) struct MapsTests {
    private func maps(_ workspace: Workspace) async throws -> [JSON] {
        let ending = try await workspace.run("generations", "--json", "manifest.yaml")
        #expect(ending.code == 0, "\(ending.stderr)")
        return try JSON.parse(ending.stdout)["generations"]?.array ?? []
    }

    private func current(_ workspace: Workspace) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: workspace.file("out/downtown/current"))
    }

    private func file(_ workspace: Workspace, _ name: String, kind: String = "tiles") throws -> String {
        let folder = workspace.file("out/downtown/generations/\(name)")
        let inventory = try JSON.parse(Files.read(folder + "/inventory.json"))
        let source = try #require(inventory["sources"]?.array?.first { $0["kind"]?.string == kind }?["path"]?.string)
        return "\(folder)/\(source)"
    }

    @Test func `Older maps come back, damaged ones do not, and what users left stays`() async throws {
        let portal = try await PortalProcess()
        let manifest = Workspace.water().replacing("keep: 2", with: "keep: { count: 3, age: 30 d }")
        let workspace = try Workspace(manifest: manifest, portal: portal)
        let empty = try await workspace.run("generations", "manifest.yaml")
        #expect(empty.code == 0 && empty.stdout == "No map is there: no run has published one yet.\n")
        #expect(try await workspace.run("verify", "manifest.yaml").code == 1)
        for _ in 0..<3 { #expect(try await workspace.refresh().code == 0) }
        try workspace.write("out/notes.txt", "mine")
        try workspace.write("out/downtown/notes.txt", "mine")
        let names = try await maps(workspace).compactMap { $0["name"]?.string }
        #expect(names.count == 3 && names == names.sorted())
        #expect(try await maps(workspace).map { $0["current"] } == [false, false, true])
        #expect(try await maps(workspace).allSatisfy { $0["complete"] == true })
        let whole = try await workspace.run("verify", "--json", "manifest.yaml")
        #expect(whole.code == 0, "\(whole.stdout)\(whole.stderr)")
        #expect(try JSON.parse(whole.stdout)["maps"]?.array?.count == 3)
        #expect(try await workspace.run("verify", "--quiet", "manifest.yaml").stdout.isEmpty)

        // Back by one, and status knows how old the map is that people see.
        let back = try await workspace.run("rollback", "downtown", "manifest.yaml")
        #expect(back.code == 0 && back.stdout.contains(names[1]), "\(back.stdout)\(back.stderr)")
        #expect(try current(workspace) == "generations/\(names[1])")
        let status = try JSON.parse(await workspace.run("status", "--json", "manifest.yaml").stdout)
        #expect(status["areas"]?[0]?["generation"]?.string == "downtown/generations/\(names[1])")

        // One byte of the oldest map changes: it cannot come back.
        let path = try file(workspace, names[0])
        var bytes = try Files.read(path)
        bytes[bytes.count / 2] ^= 0xFF
        try Files.remove(path)
        try Files.writeAtomically(bytes, to: path)
        let damaged = try await workspace.run("verify", "manifest.yaml")
        #expect(damaged.code == 2)
        #expect(damaged.stdout.contains("another SHA-256") && damaged.stdout.contains("damaged  downtown  \(names[0])"))
        let refused = try await workspace.run("rollback", "downtown", "--to", names[0], "manifest.yaml")
        #expect(refused.code == 66 && refused.stderr.contains("is damaged"), "\(refused.stderr)")
        #expect(try current(workspace) == "generations/\(names[1])")

        let mistyped = try await workspace.run("rollback", "downtwn", "manifest.yaml")
        #expect(mistyped.code == 66 && mistyped.stderr.contains("there is no map of an area downtwn"), "\(mistyped.stderr)")
        #expect(mistyped.stderr.contains("areas with maps: downtown"))

        // A run has the lock: neither command gets in between.
        let lock = open(workspace.file("out/.state/lock"), O_RDWR | O_CREAT, 0o600)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        #expect(try await workspace.run("rollback", "downtown", "--to", names[2], "manifest.yaml").code == 75)
        #expect(try await workspace.run("prune", "manifest.yaml").code == 75)
        #expect(try await workspace.run("prune", "--dry-run", "manifest.yaml").code == 0)
        close(lock)

        // The next run moves on, and says so.
        let next = try await workspace.refresh()
        #expect(next.code == 0)
        let warnings = next.job("downtown/publish")?["warnings"]?.array?.compactMap(\.string) ?? []
        #expect(warnings == ["this map replaces the rollback from downtown/generations/\(names[2])"])
        // Nothing that counts was removed: the damaged one takes no place.
        #expect(try await maps(workspace).count == 3)
        try await checkPrune(workspace)
    }

    /// Two areas of the same place: every file is fetched once, and is on the disk once.
    @Test func `A file that two maps hold takes its room once`() async throws {
        let portal = try await PortalProcess()
        let place = "envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 }"
        let manifest = Workspace.water(areas: 2).replacing(
            "envelope: { xmin: -88.150, ymin: 41.765, xmax: -88.130, ymax: 41.780 }", with: place)
        let workspace = try Workspace(manifest: manifest, portal: portal)
        #expect(try await workspace.run().code == 0)
        #expect(portal.downloads.count == 3)
        for kind in ["tiles", "replica", "vectorTiles"] {
            let files = try ["downtown", "riverwalk"].map { area in
                try FileStatus.of(PublishedMap(output: workspace.file("out"), area: area).file(of: kind))
            }
            #expect(files[0].identity == files[1].identity && files[0].links == 2, "\(kind)")
        }
        let ending = try await workspace.run("generations", "--json", "manifest.yaml")
        let json = try JSON.parse(ending.stdout)
        let listed = (json["generations"]?.array ?? []).compactMap { $0["bytes"]?.int }.reduce(0, +)
        let disk = try #require(json["diskBytes"]?.int)
        // st_blocks of all files together: half of what the two maps hold, and some kilobytes of documents.
        #expect(disk < listed * 6 / 10, "\(disk) of \(listed)")
    }

    /// A night on which one layer was asked for anew: the files of the others are those of the night before, by the same inode.
    @Test func `Unchanged files take no room in a new map`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        #expect(try await workspace.run().code == 0)
        let before = try PublishedMap(output: workspace.file("out"), area: "downtown")
        let manifest = String(decoding: try workspace.read("manifest.yaml"), as: UTF8.self)
        try workspace.write("manifest.yaml", manifest + "layers: [{ match: { title: Hydrant }, where: FLOW >= 500 }]\n")
        #expect(try await workspace.run().code == 0)
        let after = try PublishedMap(output: workspace.file("out"), area: "downtown")
        #expect(after.link != before.link)
        for kind in ["tiles", "vectorTiles"] {
            let name = Paths.name(after.file(of: kind))
            let files = try [before.link, after.link].map {
                try FileStatus.of(workspace.file("out/downtown/\($0)/p13/\(name)"))
            }
            #expect(files[0].identity == files[1].identity, "\(kind)")
        }
        let ending = try await workspace.run("generations", "--json", "manifest.yaml")
        let json = try JSON.parse(ending.stdout)
        let listed = (json["generations"]?.array ?? []).compactMap { $0["bytes"]?.int }.reduce(0, +)
        // st_blocks: the second map costs its replica, its style and its documents.
        #expect((json["diskBytes"]?.int ?? .max) < listed * 7 / 10, "\(ending.stdout)")
    }

    /// A disk that changes a byte changes no date: only `verify` sees it, and what it says to do has to help.
    private func checkRot(_ workspace: Workspace) async throws {
        let name = Paths.name(try current(workspace))
        let path = try file(workspace, name)
        var (bytes, status) = (try Files.read(path), stat())
        #expect(stat(path, &status) == 0)
        bytes[bytes.count / 2] ^= 0xFF
        chmod(path, 0o644)
        let handle = try #require(fopen(path, "r+"))
        fwrite(bytes, 1, bytes.count, handle)
        fclose(handle)
        var times = [status.st_atim, status.st_mtim]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        let rotten = try await workspace.run("verify", "manifest.yaml")
        #expect(rotten.code == 1, "\(rotten.stdout)")
        #expect(rotten.stdout.contains("Next: `offline-batch run --refresh --area downtown manifest.yaml` makes it anew."))
        #expect(try await workspace.run("run", "--refresh", "--area", "downtown", "manifest.yaml").code == 0)
        #expect(try await workspace.run("verify", "manifest.yaml").code == 0)
    }

    private func checkPrune(_ workspace: Workspace) async throws {
        let names = try await maps(workspace).compactMap { $0["name"]?.string }
        try workspace.write("out/downtown/generations/\(names[0])/p13/notes.txt", "mine")
        let manifest = String(decoding: try workspace.read("manifest.yaml"), as: UTF8.self)
        try workspace.write("manifest.yaml", manifest.replacing("count: 3", with: "count: 1"))
        let rehearsal = try await workspace.run("prune", "--dry-run", "--json", "manifest.yaml")
        #expect(rehearsal.code == 0, "\(rehearsal.stderr)")
        let plan = try JSON.parse(rehearsal.stdout)
        #expect(plan["maps"]?.array?.map { $0["goes"] } == [true, true, false])
        #expect((plan["freedBytes"]?.int ?? 0) > 10_000)
        #expect(try await maps(workspace).count == 3)
        let done = try await workspace.run("prune", "manifest.yaml")
        #expect(done.code == 0 && done.stdout.contains("files that are not ours stay"), "\(done.stdout)\(done.stderr)")
        #expect(try Files.list(workspace.file("out/downtown/generations")) == [names[0], names[2]])
        #expect(try Files.list(workspace.file("out/downtown/generations/\(names[0])/p13")) == ["notes.txt"])
        for file in ["out/notes.txt", "out/downtown/notes.txt"] { #expect(try workspace.read(file) == Array("mine".utf8)) }
        #expect(try await maps(workspace).map { $0["complete"] } == [false, true])
        // Somebody's folder is no damage.
        #expect(try await workspace.run("verify", "manifest.yaml").code == 0)
        try Files.remove(try file(workspace, names[2], kind: "replica"))
        let broken = try await workspace.run("verify", "manifest.yaml")
        #expect(broken.code == 1 && broken.stdout.contains("it is missing"))
        #expect(
            broken.stdout.contains("Next: `offline-batch run --area downtown manifest.yaml` makes it anew."), "\(broken.stdout)")
        #expect(try await workspace.run("run", "--area", "downtown", "manifest.yaml").code == 0)
        try await checkRot(workspace)
        let slip = try await workspace.run("verify", "--area", "dwntown", "manifest.yaml")
        #expect(slip.code == 64 && slip.stderr.contains("downtown"))
    }
}

/// Five nights, one of them killed, leave no replica that no map needs (demand D19).
@Suite(.serialized) struct FiveNightsTests {
    private func atServer(_ portal: PortalProcess) async throws -> Set<String> {
        let list = try await portal.ask(portal.service("Water_Network/FeatureServer/replicas")).array ?? []
        return Set(list.compactMap { $0["replicaID"]?.string })
    }

    struct Nights: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var options: String
        var flags: [String]
        /// Of the maps that are kept.
        var replicas: Int
    }

    static let kinds = [
        Nights(
            testDescription: "for synchronisation", options: "options: { updateMode: syncWithFeatureServices }", flags: [],
            replicas: 2),
        Nights(testDescription: "because the service insists", options: "", flags: ["--replicas", "registered"], replicas: 0),
    ]

    @Test(arguments: kinds) func `No replica is left over`(_ kind: Nights) async throws {
        // The third night's file comes so slowly that there is time to kill.
        let rules = "- {path: '*.geodatabase', nth: 3, delay: 20}"
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array(rules.utf8), to: folder.file("faults.yaml"))
        let portal = try await PortalProcess(flags: ["--faults", folder.file("faults.yaml")] + kind.flags)
        let workspace = try Workspace(manifest: Workspace.water(extra: kind.options), portal: portal)
        for _ in 0..<2 { #expect(try await workspace.refresh().code == 0) }
        let before = try await atServer(portal)
        let killed = try workspace.startRefresh()
        try await eventually("the replica of the third night is on record") {
            try portal.submissions(of: "createReplica").count == 3 && Self.open(workspace) == kind.replicas + 1
        }
        killed.send(SIGKILL)
        _ = await killed.wait()
        #expect(try await atServer(portal).count == before.count + 1)
        // A day later its rest is of no use.
        let state = try SQLiteConnection(path: workspace.file("out/.state/state.db"))
        try state.execute("UPDATE runs SET started = started - 86400000")
        for _ in 0..<2 { #expect(try await workspace.refresh().code == 0) }
        #expect(portal.submissions(of: "createReplica").count == 5)
        #expect(try await atServer(portal).count == kind.replicas)
        #expect(try Self.open(workspace) == kind.replicas)
        if kind.replicas > 0 {
            // One map fewer, one replica fewer.
            let manifest = String(decoding: try workspace.read("manifest.yaml"), as: UTF8.self)
            try workspace.write("manifest.yaml", manifest.replacing("keep: 2", with: "keep: 1"))
            let ending = try await workspace.run("prune", "manifest.yaml")
            #expect(ending.code == 0 && ending.stdout.contains("1 replica that no map needs"), "\(ending.stdout)\(ending.stderr)")
            #expect(try await atServer(portal).count == 1)
        }
    }

    private static func open(_ workspace: Workspace) throws -> Int {
        try SQLiteConnection(path: workspace.file("out/.state/state.db"), access: .readOnly)
            .value("SELECT count(*) FROM replicas WHERE unregistered IS NULL")?.int ?? 0
    }
}
