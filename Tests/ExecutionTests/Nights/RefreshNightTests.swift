import ArcGIS
import Basics
import Foundation
import Glibc
import Manifest
import Packaging
import Planning
import Scheduling
import TestSupport
import Testing
import Transport

@testable import Execution

/// Only what changed (case B16): after a good night, one thing changes, and the next night does what it touches and says why.
@Suite("Nights after a good one", .serialized) struct RefreshNightTests {
    private let stage: NightStage
    private let first: NightStage.Night

    init() async throws {
        stage = try NightStage()
        first = await stage.night()
        try #require(first.report.outcome == .ok, "\(String(describing: first.report.error))")
        #expect(first.exports.count == 3)
        #expect(Set(first.ran.values) == ["new"])
    }

    private var generations: [String] { (try? Files.list(stage.output + "/downtown/generations")) ?? [] }

    @Test("nothing changed: at most 1.1 requests a layer, no job, no new generation, exit 0")
    func unchanged() async throws {
        let night = await stage.night()
        #expect(night.report.outcome == .ok && night.report.exitCode == 0)
        #expect(night.exports.isEmpty)
        // The map has nine layers and tables.
        #expect(Double(night.requests.count) <= 1.1 * 9, "\(night.requests)")
        #expect(Set(night.report.jobs.map(\.state)) == [.unchanged])
        let area = try #require(night.report.areas.first)
        #expect(area.state == .unchanged)
        #expect(area.generation == first.report.areas.first?.generation)
        #expect(area.since.map { abs($0.timeIntervalSince(first.report.started)) < 1.5 } == true)
        #expect(generations.count == 1)
        // A third time: what was verified as unchanged is compared with the same map again.
        #expect(await stage.night().exports.isEmpty)
    }

    @Test("a night that was unchanged is a success of the area and of every layer")
    func status() async throws {
        let before = try await SQLiteStateStore(readingPath: stage.folder.file("out/.state/state.db")).status()
        try await Task.sleep(for: .milliseconds(20))
        _ = await stage.night()
        let after = try await SQLiteStateStore(readingPath: stage.folder.file("out/.state/state.db")).status()
        #expect(after.publications.count == 1)
        #expect(after.publications[0].at == before.publications[0].at)
        #expect(after.publications[0].checked > before.publications[0].checked)
        // Nine layers and tables, of which Parcels stays online.
        #expect(after.layers.count == 8)
        #expect(
            after.layers.allSatisfy { layer in layer.checked > (before.layers.first { $0.label == layer.label }?.checked ?? .max)
            })
        #expect(after.lastRun?.jobs.values.allSatisfy { if case .done = $0 { true } else { false } } == true)
    }

    @Test("a quiet night removes what is too old: by a smaller count, by age, and what a killed run left")
    func tidies() async throws {
        let day = 86_400.0
        let now = first.report.started
        for night in 1...2 {
            let later = await stage.night(refreshing: true, at: now.addingTimeInterval(Double(night) * day))
            #expect(later.report.outcome == .ok)
        }
        let all = generations
        #expect(all.count == 3)
        // As a kill leaves it in the middle of a removal, and in the middle of packaging.
        let folder = stage.output + "/downtown/generations/"
        try Files.rename(folder + all[0], to: folder + ".\(all[0]).removing")
        try Files.makeDirectory(folder + ".\(all[2]).partial/p13")
        let quiet = await stage.night(at: now.addingTimeInterval(3 * day))
        #expect(quiet.exports.isEmpty && quiet.report.areas.first?.state == .unchanged)
        #expect(generations == [all[1], all[2]])
        let fewer = await stage.night(at: now.addingTimeInterval(3 * day)) { $0.output.keep = KeepSettings(count: 1) }
        #expect(fewer.report.areas.first?.state == .unchanged)
        #expect(generations == [all[2]])
    }

    @Test("edited rows: the replica, and nothing else; the parts that stay take no space")
    func edited() async throws {
        let tiles = try stage.file(of: NightStage.tiles)
        let answer = try await stage.edit(
            "Water_Network", layer: 0, ["updates": #"[{"attributes":{"OBJECTID":3,"NOTES":"painted"}}]"#])
        #expect(answer["updateResults"]?[0]?["success"] == true)
        let night = await stage.night()
        #expect(night.exports.map(Paths.name) == ["createReplica"])
        #expect(night.ran.count == 1)
        #expect(night.ran[NightStage.replica]?.hasPrefix("source edited 20") == true, "\(night.ran)")
        #expect(night.report.areas.first?.state == .published)
        #expect(generations.count == 2)
        var (old, new) = (stat(), stat())
        let carried = try stage.file(of: NightStage.tiles)
        #expect(stat(tiles, &old) == 0 && stat(carried, &new) == 0)
        #expect(old.st_ino == new.st_ino && new.st_nlink == 2)
        // What stays keeps the date of its own night.
        let map = try #require(stage.map)
        let fetched = Dictionary(map.parts.map { ($0.job, $0.fetched) }) { first, _ in first }
        #expect(try #require(fetched[NightStage.tiles]) < #require(fetched[NightStage.replica]))
        #expect(await stage.night().exports.isEmpty)
    }

    @Test("an edited schema: the replica")
    func schema() async throws {
        try await stage.administer(
            "Water_Network/FeatureServer/1/addToDefinition",
            ["addToDefinition": #"{"fields":[{"name":"COLOUR","type":"esriFieldTypeString","alias":"Colour"}]}"#])
        let night = await stage.night()
        #expect(night.exports.map(Paths.name) == ["createReplica"])
        #expect(night.ran[NightStage.replica]?.hasPrefix("schema changed 20") == true, "\(night.ran)")
        #expect(night.report.outcome == .ok)
        #expect(night.report.drift.map(\.change) == [.fieldAdded("COLOUR")])
    }

    @Test("a changed clause: the replica; a changed scale: the tiles; and so they say")
    func parameters() async throws {
        let clause = await stage.night {
            $0.layers = [LayerOverride(match: .init(title: "Hydrant"), whereClause: "FLOW >= 500")]
        }
        #expect(clause.ran == [NightStage.replica: "where clause changed"])
        #expect(clause.exports.count == 1)
        let scale = await stage.night {
            $0.layers = [LayerOverride(match: .init(title: "Hydrant"), whereClause: "FLOW >= 500")]
            $0.scale = ScaleRange(min: 40000, max: 15000)
        }
        #expect(scale.ran == [NightStage.tiles: "levels changed", NightStage.vectorTiles: "levels changed"])
    }

    @Test("a file that is gone, and one that somebody wrote into: each is fetched again")
    func repairs() async throws {
        try Files.remove(stage.file(of: NightStage.tiles))
        let gone = await stage.night()
        #expect(gone.ran == [NightStage.tiles: "artifact missing"])
        #expect(gone.exports.count == 1)
        // Written into without a change of its size.
        let path = try stage.file(of: NightStage.replica)
        var bytes = try Files.read(path)
        bytes[bytes.count / 2] ^= 0xFF
        chmod(path, 0o644)
        let file = try #require(fopen(path, "r+"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        let damaged = await stage.night()
        #expect(damaged.ran == [NightStage.replica: "artifact damaged"])
        #expect(stage.map?.parts.allSatisfy { $0.condition == .whole } == true)
        // No app may read it.
        chmod(try stage.file(of: NightStage.vectorTiles), 0)
        let closed = await stage.night()
        #expect(closed.ran == [NightStage.vectorTiles: "artifact damaged"])
        try Files.remove(Paths.join(stage.output, (try #require(stage.map)).generation + "/p13/mobile_map.mmap"))
        let folder = await stage.night()
        #expect(folder.exports.isEmpty)
        #expect(folder.report.areas.first?.state == .published)
        #expect(folder.job("downtown/package")?.reason == "artifact missing")
    }

    @Test("the item of the tiles moved: the tiles; a changed map: the folder, of the old files")
    func items() async throws {
        try await stage.update(item: "6c4e3f1a8b5d42a99cad9e8f7a6b5c41", ["snippet": "Redrawn"])
        let tiles = await stage.night()
        #expect(tiles.ran.keys.sorted() == [NightStage.tiles])
        #expect(tiles.ran[NightStage.tiles]?.hasPrefix("source edited") == true)
        try await stage.update(item: "acc027394bc84c2fb04d1ed317aac674", ["title": "Water of Naperville"])
        let map = await stage.night()
        #expect(map.exports.isEmpty && map.ran.isEmpty)
        #expect(map.job("downtown/package")?.reason == "map changed")
        #expect(map.report.areas.first?.state == .published)
    }

    @Test("the portal does not say whether tiles were edited: they count as they were, and as old as they were")
    func silentPortal() async throws {
        func checked(_ title: String) async throws -> Timestamp {
            try #require(try await stage.store.status().layers.first { $0.label.title == title }).checked
        }
        _ = await stage.night()
        let (tiles, rows) = (try await checked("World Street Map"), try await checked("Hydrant"))
        try stage.portal.portal.setFaults("- { path: \"*/search\", status: 503 }\n")
        let blind = await stage.night { $0.limits.attempts = 1 }
        #expect(blind.report.outcome == .ok && blind.exports.isEmpty, "\(blind.ran)")
        #expect(
            blind.report.notes.contains {
                $0.hasPrefix("the portal does not say whether 3 items behind tiles and styles changed")
            })
        #expect(try await checked("World Street Map") == tiles)
        #expect(try await checked("Hydrant") > rows)
        // With a new map, too, which carries the tiles over.
        _ = try await stage.edit("Water_Network", layer: 0, ["deletes": "5"])
        let edited = await stage.night { $0.limits.attempts = 1 }
        #expect(edited.ran.keys.sorted() == [NightStage.replica])
        #expect(try await checked("World Street Map") == tiles)
        try stage.portal.portal.setFaults("")
        #expect(await stage.night().exports.isEmpty)
        #expect(try await checked("World Street Map") > tiles)
    }

    @Test("a search that is closed, or leaves items out, hides no stamp: they are asked for one by one")
    func closedSearch() async throws {
        try stage.portal.portal.setFaults("- { path: \"*/search\", jsonError: { code: 403, message: no } }\n")
        let night = await stage.night()
        #expect(night.exports.isEmpty && night.report.areas.first?.state == .unchanged)
        #expect(
            night.requests.count { $0.contains("/content/items/") && !$0.contains("/data") && !$0.contains("/resources") } == 4)
    }

    @Test("everything on request, and tiles by their age")
    func onRequest() async throws {
        let all = await stage.night(refreshing: true)
        #expect(Set(all.ran.values) == ["asked for"] && all.exports.count == 3)
        let rule: (inout Manifest) -> Void = { $0.tileRefresh = .after(.seconds(30 * 86_400)) }
        #expect(await stage.night(rule).exports.isEmpty)
        let later = await stage.night(at: Date(timeIntervalSinceNow: 31 * 86_400), rule)
        #expect(
            later.ran == [
                NightStage.tiles: "older than 30 d", NightStage.vectorTiles: "older than 30 d",
                NightStage.style: "older than 30 d",
            ])
    }

    @Test("an area that leaves the manifest: the run says that its map stays, and the state that it is none of its areas")
    func retired() async throws {
        _ = await stage.night {
            var other = $0.areas[0]
            other.id = "copy"
            $0.areas.append(other)
        }
        let night = await stage.night()
        #expect(
            night.report.notes == [
                "copy is no area of the manifest any more: its map stays out and grows old; remove \(stage.output)/copy when nobody uses it"
            ])
        #expect(try await stage.store.status().areas == ["water": ["downtown"]])
        #expect(PublishedMap.read(output: stage.output, area: "copy") != nil)
    }

    @Test("a new area takes what its neighbour has under the same key")
    func newArea() async throws {
        let night = await stage.night {
            var other = $0.areas[0]
            other.id = "copy"
            $0.areas.append(other)
        }
        #expect(night.exports.isEmpty, "\(night.ran)")
        #expect(night.report.areas.map(\.state) == [.unchanged, .published])
        #expect(PublishedMap.read(output: stage.output, area: "copy")?.parts.count == 4)
    }
}

/// Nights for which the service matters more than the night before.
@Suite("Nights of their own", .serialized) struct OtherNightTests {
    @Test("a service that does not say when it was edited is fetched every night, unless the manifest says how old it may be")
    func noStamps() async throws {
        let stage = try NightStage { $0.saysEdits = false }
        #expect(await stage.night().exports.count == 3)
        let second = await stage.night()
        #expect(second.ran == [NightStage.replica: "no edit stamp"])
        let rule: (inout Manifest) -> Void = { manifest in
            manifest.layers = ["Districts", "Main", "Service Connection", "System Valve", "Hydrant", "Inspections"].map {
                var override = LayerOverride(match: .init(title: $0))
                override.refresh = .after(.seconds(7 * 86_400))
                return override
            }
        }
        #expect(await stage.night(rule).exports.isEmpty)
    }

    @Test("a night that was killed between two others is finished, and the next is calm")
    func killed() async throws {
        let stage = try NightStage()
        _ = await stage.night()
        _ = try await stage.edit("Water_Network", layer: 0, ["deletes": "5"])
        // The state as a process leaves it that died while the server worked: the job is on record, the map is the old one.
        let plan = try await Self.plan(stage)
        let store = try SQLiteStateStore(path: stage.folder.file("out/.state/state.db"))
        let run = try await store.openRun(plan, isWhole: true, now: Date().timestamp)
        let job = try #require(plan.jobs.first { $0.id == NightStage.replica })
        try await store.record([StateEntry(job: job, progress: .submitting, attempt: 1)], run: run.id, now: Date().timestamp)
        let night = await stage.night()
        #expect(night.report.outcome == .ok)
        #expect(night.exports.count == 1)
        #expect(night.ran[NightStage.replica]?.hasPrefix("source edited") == true)
        #expect(try await store.status().lastRun?.jobs.count == plan.jobs.count)
        let calm = await stage.night()
        #expect(calm.exports.isEmpty && calm.report.areas.first?.state == .unchanged)
    }

    private static func plan(_ stage: NightStage) async throws -> Plan {
        let client = ArcGISClient(transport: CurlTransport(), portal: stage.portal.portalURL, credentials: CredentialStore(.none))
        return try await Planner(client: client, inspectBasemap: BasemapFile.inspect).plan(stage.manifest)
    }

    @Test("replicas for synchronisation stay as long as nothing changes, and are made anew when they are gone")
    func registered() async throws {
        let stage = try NightStage()
        let sync: (inout Manifest) -> Void = { $0.options.updateMode = .syncWithFeatureServices }
        #expect(await stage.night(sync).exports.count == 3)
        #expect(await stage.night(sync).exports.isEmpty)
        #expect(stage.portal.portal.registeredReplicas == 1)
        let store = try SQLiteStateStore(path: stage.folder.file("out/.state/state.db"))
        for replica in try await store.openReplicas() { try await store.forgetReplica(replica, now: 1) }
        let night = await stage.night(sync)
        #expect(night.ran == [NightStage.replica: "replica not registered any more"])
    }

    @Test(
        "a replica that was removed at the server: one list tells, the job runs anew and says why; who cannot look loses nothing")
    func removedAtServer() async throws {
        let stage = try NightStage()
        let sync: (inout Manifest) -> Void = { $0.options.updateMode = .syncWithFeatureServices }
        func lists(_ night: NightStage.Night) -> Int { night.requests.count { $0.contains("/FeatureServer/replicas") } }
        let start = Date()
        func day(_ number: Double) -> Date { start.addingTimeInterval(number * 86_400) }
        // Of an older map, whose replica nobody asks for.
        #expect(lists(await stage.night(at: day(-1), sync)) == 0)
        #expect(await stage.night(refreshing: true, at: day(0), sync).exports.count == 3)
        let first = try await stage.store.openReplicas()
        #expect(first.count == 2)
        // A server that told of a replica within a week is not asked: such a night costs what any quiet night costs.
        for number in [1.0, 6.9] {
            let quiet = await stage.night(at: day(number), sync)
            #expect(quiet.exports.isEmpty && lists(quiet) == 0)
            #expect(Double(quiet.requests.count) <= 1.1 * 9, "\(quiet.requests)")
        }
        #expect(lists(await stage.night(at: day(7.1), sync)) == 1)
        #expect(lists(await stage.night(at: day(14), sync)) == 0)

        try stage.portal.portal.setFaults("- { path: \"*FeatureServer/replicas\", status: 503 }\n")
        for replica in first { try await stage.unregister(replica) }
        let blind = await stage.night(at: day(14.2), sync)
        #expect(blind.exports.isEmpty && blind.report.outcome == .ok)
        #expect(blind.report.notes.contains { $0.hasSuffix("; ours count as registered") }, "\(blind.report.notes)")

        try stage.portal.portal.setFaults("")
        // Nobody told anything, so it is asked again on the next night.
        let night = await stage.night(at: day(15), sync)
        #expect(night.ran == [NightStage.replica: "its replica is gone from the server"])
        // The list, and the one that is not in it.
        #expect(night.report.outcome == .ok && lists(night) == 2 && stage.portal.portal.registeredReplicas == 1)
        let second = try #require(try await stage.store.openReplicas().last)
        #expect(!first.contains(second))
        #expect(await stage.night(sync).exports.isEmpty)
    }

    @Test("a replica that `replicas list` finds gone is asked for by the next run")
    func foundGone() async throws {
        let stage = try NightStage()
        let sync: (inout Manifest) -> Void = { $0.options.updateMode = .syncWithFeatureServices }
        _ = await stage.night(sync)
        for replica in try await stage.store.openReplicas() { try await stage.unregister(replica) }
        #expect(await stage.night(sync).exports.isEmpty)
        let portal = stage.portal.portalURL
        let listed = try await OwnReplicas(stateDirectory: stage.folder.file("out/.state")) { () async throws(PlanRefusal) in
            ArcGISClient(transport: CurlTransport(), portal: portal, credentials: CredentialStore(.none))
        }.list()
        #expect(listed.map(\.standing) == [.goneAtServer])
        #expect(await stage.night(sync).ran == [NightStage.replica: "its replica is gone from the server"])
    }

    @Test("after a rollback the replica is that of the older map")
    func rolledBack() async throws {
        let stage = try NightStage()
        let sync: (inout Manifest) -> Void = { $0.options.updateMode = .syncWithFeatureServices }
        _ = await stage.night(sync)
        let older = try #require(stage.map?.generation)
        try await Task.sleep(for: .seconds(1.1))
        #expect(await stage.night(refreshing: true, sync).report.outcome == .ok)
        #expect(stage.portal.portal.registeredReplicas == 2)
        // What the newer map had is gone; the older one, current again, still has its own.
        let newer = try #require(try await stage.store.openReplicas().last)
        try await stage.unregister(newer)
        _ = try await MapRollback(output: stage.output, stateDirectory: stage.folder.file("out/.state"), area: "downtown")(
            to: .name(Paths.name(older)), now: Date())
        #expect(await stage.night(sync).exports.isEmpty)
    }

    @Test("what the map lost keeps the last good map, stops, or is accepted, as the manifest says")
    func drift() async throws {
        let stage = try NightStage()
        let first = await stage.night()
        try await stage.administer(
            "Water_Network/FeatureServer/0/deleteFromDefinition", ["deleteFromDefinition": #"{"fields":[{"name":"NOTES"}]}"#])
        let kept = await stage.night()
        #expect(kept.report.outcome == .partial && kept.exports.isEmpty)
        let area = try #require(kept.report.areas.first)
        #expect(area.state == .kept && area.generation == first.report.areas.first?.generation)
        #expect(area.reason == "Hydrant (water-0) has lost the field NOTES")
        #expect(kept.report.drift.map(\.change) == [.fieldRemoved("NOTES")])

        let stopped = await stage.night { $0.onDrift = .stop }
        #expect(stopped.report.outcome == .refused && stopped.report.exitCode == 66 && stopped.exports.isEmpty)
        #expect(stopped.report.problems.first?.layer?.title == "Hydrant")

        let accepted = await stage.night { $0.onDrift = .accept }
        #expect(accepted.report.outcome == .ok && accepted.exports.count == 1)
        #expect(accepted.report.drift.count == 1)
        // The new map is what the next night compares with.
        let next = await stage.night()
        #expect(next.report.drift.isEmpty && next.report.areas.first?.state == .unchanged)
    }
}
