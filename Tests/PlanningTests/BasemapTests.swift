import Basics
import Geography
import Manifest
import Testing

@testable import Planning

@Suite("Reference base maps")
struct BasemapTests {
    private static let file = ReferenceBasemap(
        path: "", content: .tiles, fileExtension: "tpkx", sha256: String(repeating: "a", count: 64), bytes: 5_000_000, tiles: 120,
        levels: 10...16, spatialReference: .webMercator, extent: PlanStage.box)

    private static func stage(_ file: ReferenceBasemap? = file) throws -> PlanStage {
        var stage = try PlanStage()
        stage.basemap = file
        return stage
    }

    private static func using(_ path: String) -> (inout Manifest) -> Void {
        { $0.options.referenceBasemap = path }
    }

    @Test("the base layers are replaced: no export, no question to their services; the file is a job of its own")
    func replaced() async throws {
        let stage = try Self.stage()
        let plan = try await stage.plan(Self.using("/maps/town.tpkx"))
        for id in ["base-vector", "base-streets"] {
            let layer = try #require(plan.layer(id))
            #expect(layer.verdict == .excluded && layer.rule == "basemap-replaced" && layer.source == nil)
        }
        #expect(plan.exports.map(\.kind) == [.replica])
        #expect(!stage.asked.all.contains(PlanStage.streets) && !stage.asked.all.contains(PlanStage.vector))
        let job = try #require(plan.jobs.first { $0.kind == .basemap })
        #expect(job.id == "downtown/basemap/basemap" && job.work.basemap?.path == "/maps/town.tpkx" && job.request == nil)
        #expect(plan.jobs.first { $0.kind == .package }?.dependsOn.contains(job.id) == true)
        let own = try #require(plan.layer("reference-basemap"))
        #expect(own.title == "town.tpkx" && own.verdict == .tiles && own.source == "basemap")
        #expect(plan.notes.contains("town.tpkx takes the place of the map's base map"))
    }

    @Test("its spatial reference is that of the map, and features come in it")
    func spatialReference() async throws {
        var file = Self.file
        file.spatialReference = SpatialReference(wkid: 26916)
        file.extent = nil
        let plan = try await Self.stage(file).plan(Self.using("/maps/town.tpkx"))
        #expect(plan.map.spatialReference.wkid == 26916)
        #expect(plan.form("water/replica")?["replicaSR"] == "26916")
        let own = try await Self.stage().plan()
        #expect(own.form("water/replica")?["replicaSR"] == "102100")
    }

    @Test("another file makes another package; another place of the same file makes another plan, and the same map")
    func keys() async throws {
        func key(_ file: ReferenceBasemap, _ path: String, _ kind: Job.Kind) async throws -> String? {
            try await Self.stage(file).plan(Self.using(path)).jobs.first { $0.kind == kind }?.key
        }
        var other = Self.file
        other.sha256 = String(repeating: "b", count: 64)
        for kind in [Job.Kind.basemap, .package] {
            let first = try await key(Self.file, "/maps/town.tpkx", kind)
            #expect(try await key(other, "/maps/town.tpkx", kind) != first)
            #expect(try await key(Self.file, "/other/town.tpkx", kind) == first)
        }
    }

    @Test("without a base map the file is ignored, and that is said")
    func ignored() async throws {
        let plan = try await Self.stage().plan {
            $0.options.includeBasemap = false
            $0.options.referenceBasemap = "/maps/none.tpkx"
        }
        #expect(!plan.jobs.contains { $0.kind == .basemap })
        #expect(plan.layer("base-streets")?.rule == "basemap-excluded")
        #expect(plan.notes == ["referenceBasemap is not used, because includeBasemap is false"])
    }

    @Test("a file that is no good refuses the plan before a service is asked")
    func refused() async throws {
        let stage = try Self.stage(nil)
        let refusal = try #require(
            await stage.refusal {
                $0.options.referenceBasemap = "/maps/none.tpkx"
                $0.options.referenceBasemapOrigin = "night.yaml:7:23"
            })
        #expect(refusal.outcome == .refused)
        #expect(refusal.problems.map(\.failure.message) == ["there is no file /maps/none.tpkx"])
        #expect(refusal.problems[0].origin == "night.yaml:7:23")
        #expect(!stage.asked.all.contains { $0.contains("/rest/services/") })
    }

    @Test("in a folder the map's own name is looked for (applicationProperties.offline)")
    func folder() async throws {
        var stage = try Self.stage()
        let unnamed = try #require(await stage.refusal(Self.using("/usr")))
        #expect(unnamed.problems[0].failure.message == "referenceBasemap is the folder /usr, and the map names no file in it")
        stage.map = stage.map.with([
            "applicationProperties": ["offline": ["offlinebasemap": ["referenceBasemapName": "usa.vtpk"]]]
        ])
        let plan = try await stage.plan(Self.using("/usr"))
        #expect(plan.jobs.first { $0.kind == .basemap }?.work.basemap?.path == "/usr/usa.vtpk")
        // A name that would leave the folder is none.
        stage.map = stage.map.with([
            "applicationProperties": ["offline": ["offlinebasemap": ["referenceBasemapName": "../usa.vtpk"]]]
        ])
        #expect(await stage.refusal(Self.using("/usr")) != nil)
    }

    @Test("a file that the map names is said where the manifest does not say where it is")
    func named() async throws {
        var stage = try Self.stage()
        stage.map = stage.map.with([
            "applicationProperties": ["offline": ["offlinebasemap": ["referenceBasemapName": "usa.vtpk"]]]
        ])
        let plan = try await stage.plan()
        #expect(plan.notes.count == 1 && plan.notes[0].contains("usa.vtpk") && plan.notes[0].contains("referenceBasemap"))
        #expect(!plan.jobs.contains { $0.kind == .basemap })
    }

    @Test("what the file does not reach, and what the SDK does not read, is said")
    func notes() async throws {
        var file = Self.file
        file.isRepacked = true
        file.extent = Envelope(xmin: 0, ymin: 0, xmax: 10, ymax: 10)
        file.warnings = ["2 of 120 tiles are damaged"]
        let plan = try await Self.stage(file).plan(Self.using("/maps/town.mbtiles"))
        #expect(plan.notes.contains("town.mbtiles has nothing in the area downtown"))
        #expect(plan.notes.contains("town.mbtiles: 2 of 120 tiles are damaged"))
        #expect(plan.notes.contains { $0.contains("does not read .mbtiles") })
    }
}
