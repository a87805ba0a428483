import Basics
import Foundation
import Packaging
import Planning
import Reporting
import Testing

@testable import OfflineBatch

/// `generations`, `rollback`, `verify`, `prune` on folders of the disk.
@Suite struct MapCommandTests {
    /// Maps of area downtown under these names, each with one file.
    private static func stage(_ names: String..., current: String) throws -> Stage {
        let stage = try Stage()
        for name in names {
            let folder = stage.folder.file("out/downtown/generations/\(name)")
            try Files.makeDirectory(folder + "/p13")
            try Files.writeAtomically(Array(name.utf8), to: folder + "/p13/map")
            let inventory: JSON = [
                "area": "downtown", "sources": [],
                "files": [["path": "p13/map", "sha256": .string(SHA256.hex(of: name)), "bytes": JSON(name.utf8.count)]],
            ]
            try Files.writeAtomically(Array(inventory.serialized().utf8), to: folder + "/inventory.json")
        }
        #expect(symlink("generations/\(current)", stage.folder.file("out/downtown/current")) == 0)
        return stage
    }

    // Stage.now is 2023-11-14 22:13:20 UTC.
    private static let (first, second, third) = ("20231112T020000Z", "20231113T020000Z", "20231114T020000Z")

    @Test("generations: a line a map, sizes, the current one, what is damaged and what is not ours")
    func generations() async throws {
        let stage = try Self.stage(Self.first, Self.second, Self.third, current: Self.third)
        try Files.remove(stage.folder.file("out/downtown/generations/\(Self.second)/p13/map"))
        try Files.remove(stage.folder.file("out/downtown/generations/\(Self.first)/inventory.json"))
        let end = await stage("generations m.yaml")
        #expect(end.code == 0)
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(lines[0].split(separator: " ") == ["AREA", "MADE", "AGE", "SIZE", "CURRENT", "NAME", "CONDITION"])
        #expect(lines[1].hasSuffix("\(Self.first)  not known as ours, left alone: it has no inventory.json"))
        #expect(lines[2].hasSuffix("\(Self.second)  damaged: p13/map"))
        #expect(lines[3].hasPrefix("downtown  2023-11-14 02:00  20 h 13 m  16 B  current  \(Self.third)  complete"))
        let json = try JSON.parse(await stage("generations --json --area downtown m.yaml").output)
        #expect(json["generations"]?.array?.map { $0["complete"] } == [false, false, true])
        #expect(json["generations"]?[2]?["made"] == "2023-11-14T02:00:00Z")
        let slip = await stage("generations --area dwntown m.yaml")
        #expect(slip.code == 64 && slip.errors.contains("one of downtown"))
    }

    @Test(
        "a map that lacks a layer: named in the list, no place to roll back to unless by its name, and the last complete one stays"
    )
    func incomplete() async throws {
        let stage = try Self.stage(Self.first, Self.second, Self.third, current: Self.third)
        for name in [Self.second, Self.third] {
            let path = stage.folder.file("out/downtown/generations/\(name)/inventory.json")
            var inventory = try JSON.parse(try Files.read(path))
            inventory["complete"] = false
            inventory["layers"] = [
                ["title": "Hydrant", "path": "p13/a", "error": .null], ["title": "Streets", "path": .null, "error": "503"],
                ["title": "Main", "path": "p13/b", "error": "stale"],
            ]
            try Files.writeAtomically(Array(inventory.serialized().utf8), to: path)
        }
        let end = await stage("generations m.yaml")
        let lines = end.output.split(separator: "\n")
        #expect(lines[1].hasSuffix("\(Self.first)  complete"))
        #expect(lines[2].hasSuffix("\(Self.second)  incomplete: without Streets"))
        let json = try JSON.parse(await stage("generations --json m.yaml").output)["generations"]?.array
        #expect(json?.map { $0["complete"] } == [true, false, false])
        #expect(json?.map { $0["missing"] } == [[], ["Streets"], ["Streets"]])
        let maps = try Generations(output: stage.folder.file("out"), area: "downtown").list()
        #expect(Retention(count: 1).decide(maps, now: Stage.now).map { $0.hasToGo } == [false, true, false])
        #expect(await stage("rollback downtown m.yaml").output.contains("\(Self.first) (2023-11-12 02:00) is current again"))
        #expect(await stage("rollback downtown --to \(Self.second) m.yaml").code == 0)
    }

    @Test("rollback: back, forth, by day and time; nothing to go back to is refused and leaves the link alone")
    func rollback() async throws {
        let stage = try Self.stage(Self.first, Self.second, Self.third, current: Self.third)
        func current() throws -> String {
            Paths.name(try FileManager.default.destinationOfSymbolicLink(atPath: stage.folder.file("out/downtown/current")))
        }
        let back = await stage("rollback downtown m.yaml")
        #expect(back.code == 0, "\(back.errors)")
        #expect(try current() == Self.second)
        #expect(back.output.hasPrefix("downtown: \(Self.second) (2023-11-13 02:00) is current again, instead of \(Self.third)"))
        #expect(await stage("rollback downtown --to 2023-11-12 m.yaml").code == 0)
        #expect(try current() == Self.first)
        let none = await stage("rollback downtown m.yaml")
        #expect(none.code == 66 && none.errors.contains("no complete map older"), "\(none.errors)")
        #expect(await stage("rollback downtown --to 2023-11-14T01:59 m.yaml").code == 0)
        #expect(try current() == Self.second)
        #expect(await stage("rollback downtown --to \(Self.third) m.yaml").code == 0)
        #expect(try current() == Self.third)
        #expect(await stage("rollback downtown --to \(Self.third) m.yaml").output.contains("current already"))
        for text in ["yesterday", "2023-02-29", "2023-11-14T25:00", "14.11.2023"] {
            #expect(await stage("rollback downtown --to \(text) m.yaml").code == 64, "\(text)")
        }
        #expect(await stage("rollback uptown m.yaml").code == 66)
    }

    @Test("verify: whole, changed, missing; quiet says nothing when all is well")
    func verify() async throws {
        let stage = try Self.stage(Self.first, Self.second, current: Self.second)
        #expect(await stage("verify --quiet m.yaml").output.isEmpty)
        #expect(await stage("verify m.yaml").output.hasSuffix("2 maps verified: everything is as it was published\n"))
        try Files.writeAtomically(
            Array(Self.second.utf8), to: stage.folder.file("out/downtown/generations/\(Self.first)/p13/map"))
        let changed = await stage("verify --quiet m.yaml")
        #expect(changed.code == 2)
        #expect(changed.output.contains("  ! p13/map: its content has changed since it was published (another SHA-256)\n"))
        #expect(await stage("verify --current m.yaml").code == 0)
        try Files.writeAtomically(Array("x".utf8), to: stage.folder.file("out/downtown/generations/\(Self.second)/p13/map"))
        let cut = await stage("verify --json m.yaml")
        #expect(cut.code == 1)
        let json = try JSON.parse(cut.output)
        #expect(json["maps"]?[1]?["damages"] == [["path": "p13/map", "kind": "size", "message": "1 of 16 bytes"]])
    }

    @Test("replicas list: one that its server has forgotten is said, and what comes of it")
    func goneReplica() async throws {
        let stage = try Self.stage(Self.first, current: Self.first)
        func row(_ id: String, _ standing: ReplicaRow.Standing) -> ReplicaRow {
            ReplicaRow(
                service: "https://h/FeatureServer", id: id, name: "n", job: "a/b/replica", since: Stage.now, isKept: true,
                standing: standing)
        }
        let end = await stage("replicas list m.yaml", replicas: .success([row("A", .registered), row("B", .goneAtServer)]))
        #expect(end.code == 0)
        let lines = end.output.split(separator: "\n")
        #expect(lines[1].hasPrefix("registered") && lines[2].hasPrefix("gone"))
        #expect(lines[3].hasPrefix("1 replica is gone from the server; the next run fetches anew"))
        #expect(!(await stage("replicas list m.yaml", replicas: .success([row("A", .registered)])).output.contains("gone")))
    }

    @Test("prune: the engine is asked, and says what goes")
    func prune() async throws {
        let stage = try Self.stage(Self.first, Self.second, current: Self.second)
        let map = Generation(
            area: "downtown", name: Self.first, time: Stage.now, isCurrent: false, condition: .whole, bytes: 16)
        let row = PruneRow(generation: map, verdict: .goes(.beyondCount(7)))
        let report = PruneReport(rows: [row], freedBytes: 4096, replicas: [], isRehearsal: true)
        let end = await stage("prune --dry-run --area downtown m.yaml", prune: .success(report))
        #expect(end.code == 0 && stage.questions == ["prune [\"downtown\"] rehearsal"])
        #expect(end.output.contains("7 newer maps are there") && end.output.hasSuffix("Nothing was removed.\n"))
        var last = report
        last.rows[0].verdict = .stays(.lastComplete)
        let stays = await stage("prune --dry-run m.yaml", prune: .success(last))
        #expect(stays.output.contains("stays") && stays.output.contains("the newest map that lacks no layer"))
        var failed = report
        failed.rows[0].result = .failed("rmdir x: Permission denied")
        failed.isRehearsal = false
        #expect(await stage("prune m.yaml", prune: .success(failed)).code == 2)
    }
}

extension RetentionVerdict {
    fileprivate var hasToGo: Bool { if case .goes = self { true } else { false } }
}
