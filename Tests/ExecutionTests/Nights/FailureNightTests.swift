import Basics
import DemoPortal
import Foundation
import Glibc
import Manifest
import Packaging
import Planning
import TestSupport
import Testing

@testable import Execution

/// One dead layer of three (cases D8): what the manifest's `onError` and `publish` make of the night.
@Suite("Nights on which a layer does not come", .serialized) struct FailureNightTests {
    private let stage: NightStage
    private static let deadExport =
        "- { path: \"*World_Street_Map/MapServer/exportTiles*\", jsonError: { code: 400, message: no } }\n"
    private static let deadService = "- { path: \"*World_Street_Map/MapServer*\", status: 503 }\n"
    private static let streets = "World Street Map"

    init() throws { stage = try NightStage() }

    private func night(
        _ policy: FailurePolicy, _ publish: PublishPolicy = .complete, of title: String = streets, refreshing: Bool = true,
        keep: Int = 3, _ change: (inout Manifest) -> Void = { _ in }
    ) async -> NightStage.Night {
        await stage.night(refreshing: refreshing) {
            $0.output.keep = KeepSettings(count: keep)
            $0.limits.attempts = 1
            $0.publish = publish
            var override = LayerOverride(match: .init(title: title))
            override.onError = policy
            $0.layers = [override]
            change(&$0)
        }
    }

    private func fault(_ text: String) throws { try stage.portal.portal.setFaults(text) }

    private func inventory() throws -> JSON {
        let map = try #require(stage.map)
        return try JSON.parse(try Files.read(Paths.join(stage.output, map.generation) + "/inventory.json"))
    }

    private func streets(_ night: NightStage.Night) throws -> LayerReport { try layer(Self.streets, night) }

    private func layer(_ title: String, _ night: NightStage.Night) throws -> LayerReport {
        try #require(night.report.layers.first { $0.layer.title == title })
    }

    private func generation() -> String? { stage.map?.generation }

    @Test("fail: nothing is published, the last good map stays, and what waited is skipped")
    func fail() async throws {
        #expect(await night(.fail).report.outcome == .ok)
        let before = generation()
        try fault(Self.deadExport)
        let failed = await night(.fail)
        #expect(failed.report.outcome == .failed && failed.report.areas.map(\.state) == [.failed])
        #expect(failed.job("downtown/package")?.error?.details == [NightStage.tiles])
        let states = Dictionary(grouping: failed.report.jobs, by: \.state).mapValues(\.count)
        #expect(states == [.failed: 1, .skipped: 2, .done: 3])
        #expect(generation() == before)
        try fault(Self.deadService)
        let refused = await night(.fail)
        #expect(refused.exports.isEmpty && refused.report.jobs.isEmpty && refused.report.exitCode != 0)
        #expect(generation() == before)
    }

    @Test("skip: the first map is published without the layer; the rerun tries it again; a complete map is not replaced")
    func skip() async throws {
        try fault(Self.deadExport)
        let first = await night(.skip)
        #expect(first.report.outcome == .partial && first.report.exitCode == 2)
        #expect(first.report.areas.map(\.state) == [.partial])
        let missing = try streets(first)
        #expect(missing.error != nil && missing.staleSince == nil)
        #expect(stage.map?.isComplete == false && stage.map?.parts.count == 3)
        let layer = try inventory()["layers"]?.array?.first { $0["title"]?.string == Self.streets }
        #expect(layer?["error"]?.string != nil && layer?["verdict"] == "online only" && layer?["path"] == .null)
        let status = try await SQLiteStateStore(readingPath: stage.folder.file("out/.state/state.db")).status()
        #expect(status.layers.first { $0.label.title == Self.streets }?.checked == 0)

        try fault("")
        try await Task.sleep(for: .seconds(1.1))
        let healed = await night(.skip, refreshing: false)
        #expect(healed.exports.map(Paths.name) == ["exportTiles"], "\(healed.ran)")
        #expect(healed.report.outcome == .ok && stage.map?.isComplete == true)

        let complete = generation()
        try fault(Self.deadExport)
        try await Task.sleep(for: .seconds(1.1))
        let kept = await night(.skip)
        #expect(kept.report.outcome == .partial && kept.report.areas.map(\.state) == [.kept])
        #expect(kept.exports.count == 3 && generation() == complete)
        #expect(kept.report.areas.first?.reason == "no new map without World Street Map")

        let partial = await night(.skip, .partial)
        #expect(partial.report.outcome == .partial && partial.report.areas.map(\.state) == [.partial])
        #expect(generation() != complete && stage.map?.isComplete == false)
    }

    @Test("however many incomplete maps follow, the last complete one stays until a new one takes its place")
    func lastComplete() async throws {
        func maps() throws -> [String] { try Files.list(stage.output + "/downtown/generations") }
        #expect(await night(.skip, .partial, keep: 1).report.outcome == .ok)
        let complete = try #require(generation().map(Paths.name))
        try fault(Self.deadExport)
        for _ in 1...2 {
            try await Task.sleep(for: .seconds(1.1))
            #expect(await night(.skip, .partial, keep: 1).report.areas.map(\.state) == [.partial])
            #expect(try maps() == [complete, try #require(generation().map(Paths.name))])
        }
        try fault("")
        try await Task.sleep(for: .seconds(1.1))
        #expect(await night(.skip, .partial, keep: 1).report.outcome == .ok)
        #expect(try maps() == [try #require(generation().map(Paths.name))])
    }

    @Test("keepLastGood: the file of the last good map, stale since then; without one it fails the area")
    func keepLastGood() async throws {
        try fault(Self.deadExport)
        #expect(await night(.keepLastGood).report.areas.map(\.state) == [.failed])
        try fault("")
        #expect(await night(.keepLastGood, refreshing: false).report.outcome == .ok)
        let (before, old) = (generation(), try stage.file(of: NightStage.tiles))
        let fetched = try #require(stage.map?.parts.first { $0.job == NightStage.tiles }?.fetched)
        try fault(Self.deadExport)
        try await Task.sleep(for: .seconds(1.1))
        let stale = await night(.keepLastGood)
        try check(stale, before, old, fetched)
        #expect(stale.job(NightStage.tiles)?.state == .failed)
        // The service itself is silent: the plan is made all the same, and says so.
        try fault(Self.deadService)
        try await Task.sleep(for: .seconds(1.1))
        let silent = await night(.keepLastGood)
        try check(silent, stale.report.areas.first?.generation, old, fetched)
        #expect(silent.report.notes.contains { $0.hasPrefix("World Street Map: it could not be looked at") })
        #expect(silent.report.drift.isEmpty)
        // When it is there again, it is tried again.
        try fault("")
        try await Task.sleep(for: .seconds(1.1))
        let good = await night(.keepLastGood)
        #expect(good.report.outcome == .ok && good.job(NightStage.tiles)?.state == .done && good.report.drift.isEmpty)
    }

    private func check(_ night: NightStage.Night, _ before: String?, _ old: String, _ fetched: Int) throws {
        #expect(night.report.outcome == .partial && night.report.areas.map(\.state) == [.partial], "\(night.report.areas)")
        #expect(generation() != before && stage.map?.isComplete == true && stage.map?.parts.count == 4)
        var (first, second) = (stat(), stat())
        let new = try stage.file(of: NightStage.tiles)
        #expect(stat(old, &first) == 0 && stat(new, &second) == 0)
        #expect(first.st_ino == second.st_ino)
        let report = try streets(night)
        #expect(report.staleSince == Date(timeIntervalSince1970: Double(fetched) / 1000))
        let source = try inventory()["sources"]?.array?.first { $0["job"]?.string == NightStage.tiles }
        #expect(source?["stale"]?["since"]?.int == fetched && source?["fetched"]?.int == fetched)
        let layer = try inventory()["layers"]?.array?.first { $0["title"]?.string == Self.streets }
        #expect(layer?["path"]?.string?.hasPrefix("file:./") == true && layer?["error"]?.string != nil)
    }

    @Test("skip, and the service does not answer: planned without it, but a complete map stays")
    func silentService() async throws {
        try fault(Self.deadService)
        let first = await night(.skip)
        #expect(first.report.outcome == .partial && first.report.areas.map(\.state) == [.partial])
        #expect(first.exports.count == 2 && stage.map?.isComplete == false)
        let again = await night(.skip, refreshing: false)
        #expect(again.report.outcome == .partial && again.exports.isEmpty && again.report.areas.map(\.state) == [.kept])
        try fault("")
        try await Task.sleep(for: .seconds(1.1))
        #expect(await night(.skip, refreshing: false).report.outcome == .ok)
        let complete = generation()
        try fault(Self.deadService)
        let kept = await night(.skip)
        #expect(kept.report.outcome == .partial && kept.exports.isEmpty && generation() == complete)
        #expect(kept.report.areas.first?.reason == "no answer from the service of World Street Map")
    }

    private static let deadStyle = "- { path: \"*styles/root.json*\", status: 503 }\n"

    @Test("a style that does not answer is a layer that does not come: refused, left out, or kept with its tiles")
    func silentStyle() async throws {
        let title = "Street Map (Vector)"
        try fault(Self.deadStyle)
        let refused = await night(.fail, of: title)
        #expect(refused.report.outcome == .unavailable && refused.exports.isEmpty)
        #expect(refused.report.problems.map(\.layer?.title) == [title])
        let skipped = await night(.skip, of: title)
        #expect(skipped.report.outcome == .partial && skipped.report.areas.map(\.state) == [.partial])
        #expect(stage.map?.isComplete == false && Set(stage.map?.parts.map(\.kind) ?? []) == [.replica, .tiles])

        try fault("")
        try await Task.sleep(for: .seconds(1.1))
        #expect(await night(.keepLastGood, of: title).report.outcome == .ok)
        let (vtpk, style) = (try stage.file(of: NightStage.vectorTiles), try stage.file(of: NightStage.style))
        try fault(Self.deadStyle)
        try await Task.sleep(for: .seconds(1.1))
        let stale = await night(.keepLastGood, of: title)
        #expect(stale.report.outcome == .partial && stale.exports.map(Paths.name).sorted() == ["createReplica", "exportTiles"])
        #expect(stage.map?.isComplete == true && stage.map?.parts.count == 4)
        #expect(try layer(title, stale).staleSince != nil)
        for (old, job) in [(vtpk, NightStage.vectorTiles), (style + "/styles/root.json", NightStage.style)] {
            let new = try stage.file(of: job) + (job == NightStage.style ? "/styles/root.json" : "")
            #expect(new != old)
            #expect(try Files.read(new) == Files.read(old))
        }
    }

    @Test(
        "services of the manifest that do not answer: their layers stay what they were, and what the manifest says of them holds")
    func silentServices() async throws {
        let item = "a08c7d5e2f9b46edd0ebd2cdbeaf9081"
        let water = stage.portal.service("Water_Network/FeatureServer")
        let services: (inout Manifest) -> Void = { manifest in
            manifest.webMap = nil
            var vectors = ServiceEntry(source: .item(item), title: "Streets")
            vectors.settings.onError = .keepLastGood
            manifest.services = [ServiceEntry(source: .url(water)), vectors]
        }
        // `layers:` names a layer that only the service could tell of.
        #expect(await night(.keepLastGood, of: "Hydrant", services).report.outcome == .ok)
        let before = try #require(stage.map)
        #expect(Set(before.parts.map(\.kind)) == [.replica, .vectorTiles] && before.layers.count == 7)
        let document = try self.document()

        func everything(_ manifest: inout Manifest) {
            services(&manifest)
            manifest.onError = .keepLastGood
            // One that does answer.
            manifest.services.append(
                ServiceEntry(source: .url(stage.portal.service("World_Street_Map/MapServer")), title: "Tiles"))
        }
        try fault("- { path: \"*Water_Network/FeatureServer*\", status: 503 }\n- { path: \"*items/\(item)*\", status: 503 }\n")
        try await Task.sleep(for: .seconds(1.1))
        let stale = await night(.keepLastGood, of: "Hydrant", everything)
        #expect(stale.report.outcome == .partial, "\(stale.report.problems)")
        #expect(stale.exports.map(Paths.name) == ["exportTiles"] && stage.map?.isComplete == true)
        let after = try #require(stage.map)
        #expect(Set(after.parts.map(\.kind)) == [.replica, .vectorTiles, .tiles])
        #expect(Set(after.layers.map(\.id)).isSuperset(of: before.layers.map(\.id)) && stale.report.drift.isEmpty)
        #expect(stale.report.layers.filter { $0.staleSince != nil }.count == 7)
        // The features of the map are what they were, each with its file.
        #expect(try self.document()["operationalLayers"]?.array?.last == document["operationalLayers"]?.array?.last)
        // And a second time, when only a map with stale layers remembers them.
        try await Task.sleep(for: .seconds(1.1))
        #expect(await night(.keepLastGood, of: "Hydrant", everything).report.outcome == .partial)
        #expect(stage.map?.parts.count == 3)
        try fault("")
        try await Task.sleep(for: .seconds(1.1))
        let good = await night(.keepLastGood, of: "Hydrant", everything)
        #expect(good.report.outcome == .ok && good.report.drift.isEmpty)
    }

    private func document() throws -> JSON {
        let map = try #require(stage.map)
        let text = try Files.read(Paths.join(stage.output, map.generation) + "/p13/mobile_map.mmap")
        return try #require(try JSON.parse(text)["map"])
    }

    @Test("an area without a last good file fails alone; the others take theirs")
    func newArea() async throws {
        #expect(await night(.keepLastGood).report.outcome == .ok)
        try fault(Self.deadService)
        try await Task.sleep(for: .seconds(1.1))
        let both: (inout Manifest) -> Void = { manifest in
            var other = manifest.areas[0]
            other.id = "riverwalk"
            other.buffer = 10
            manifest.areas.append(other)
        }
        let night = await night(.keepLastGood, refreshing: false, both)
        #expect(night.report.outcome == .partial)
        #expect(night.report.areas.map(\.state) == [.partial, .failed], "\(night.report.areas)")
        #expect(night.job("riverwalk/world-street-map/tiles")?.error?.code == 503)
        #expect(PublishedMap.read(output: stage.output, area: "riverwalk") == nil)
    }
}
