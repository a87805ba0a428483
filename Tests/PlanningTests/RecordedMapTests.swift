import ArcGIS
import Basics
import Manifest
import TestSupport
import Testing

@testable import Planning

/// Real web maps, planned against services that can do everything.
@Suite("Recorded web maps")
struct RecordedMapTests {
    /// Every service has what the map asks of it: layers 0 to 99, a cache, an export.
    private static func willingStage() throws -> PlanStage {
        var stage = try PlanStage()
        let tiles = Documents.tiles(tileSize: 256, levels: 0...19, firstScale: 591657527.591555)
        let layers = (0..<100).map { number -> JSON in
            [
                "id": JSON(number), "name": .string("Layer \(number)"), "type": "Feature Layer",
                "geometryType": "esriGeometryPoint",
                "globalIdField": "G", "fields": [],
            ]
        }
        let service = try JSON.parse(Documents.service).with(["layers": .array(layers), "tables": []])
        stage.otherwise = { path in
            let last = path.split(separator: "/").last.map { $0.lowercased() }
            switch last {
            case "featureserver": return service
            case "layers": return ["layers": .array(layers), "tables": []]
            case "mapserver", "imageserver", "vectortileserver": return tiles
            case "root.json", "styles":
                return ["version": 8, "layers": [], "sources": ["esri": ["url": .string(PlanStage.vector)]]]
            case "resources": return ["total": 0, "nextStart": -1, "resources": []]
            default:
                guard path.contains("/content/items/") else { return nil }
                return ["id": "i", "type": "Vector Tile Service", "url": .string(PlanStage.vector)]
            }
        }
        return stage
    }

    @Test("each is planned whole", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func all() async throws {
        let stage = try Self.willingStage()
        var refused: [String: [String]] = [:]
        var planned = 0
        for name in try Files.list(SharedFiles.path("recorded/webmaps")) {
            let path = SharedFiles.path("recorded/webmaps/" + name)
            guard let map = try? WebMap(bytes: Files.read(path)) else { continue }
            do throws(PlanRefusal) {
                let plan = try await stage.plan {
                    $0.webMap = .file(path)
                    $0.scale = ScaleRange(min: 10_000, max: 1_000)
                }
                planned += 1
                #expect(plan.layers.map(\.id) == map.layers.map(\.id), "\(name)")
                #expect(Set(plan.jobs.map(\.id)).count == plan.jobs.count, "\(name)")
                let sources = Set(plan.exports.map { $0.id.split(separator: "/")[1].description })
                for layer in plan.layers {
                    let isFetched = [.replica, .tiles, .vectorTiles].contains(layer.verdict)
                    #expect(isFetched == (layer.source != nil), "\(name): \(layer.title)")
                    if let source = layer.source { #expect(sources.contains(source), "\(name): \(layer.title)") }
                    #expect(!layer.reason.isEmpty && !layer.title.isEmpty, "\(name)")
                }
                for job in plan.exports { #expect(job.request?.parameters.values.contains("") == false, "\(job.id)") }
            } catch {
                refused[name] = error.problems.map { "\($0.layer?.title ?? "-"): \($0.failure.message) \($0.failure.details)" }
            }
        }
        #expect(refused == [:])
        // 35 files, one of them a web scene.
        #expect(planned == 34)
    }
}
