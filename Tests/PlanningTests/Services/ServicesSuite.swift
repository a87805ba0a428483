import ArcGIS
import Basics
import Manifest
import Testing

@testable import Planning

/// What the suites about `services:` have in common: a stage with a service of each kind, and plans made of entries alone.
protocol ServicesSuite {}

extension ServicesSuite {
    static var imagery: String { "https://s.example.org/a/rest/services/Photos/ImageServer" }
    static var items: String { PlanStage.portal + "/sharing/rest/content/items/" }
    static var style: String { items + "dark/resources/styles/root.json" }

    /// The portal's items beside the web map: the feature service, the vector tiles, and those with a style of their own.
    static func stage() throws -> PlanStage {
        var stage = try PlanStage()
        func add(_ id: String, _ type: String, _ title: String, _ url: String?) {
            stage.documents[items + id] = [
                "id": .string(id), "type": .string(type), "title": .string(title), "url": url.map(JSON.string) ?? .null,
            ]
        }
        add("network", "Feature Service", "Water network", PlanStage.water)
        add("light", "Vector Tile Service", "Streets by day", PlanStage.vector)
        add("dark", "Vector Tile Service", "Streets by night", PlanStage.vector)
        stage.documents[items + "light/resources"] = ["total": 0, "resources": [], "nextStart": -1]
        stage.documents[items + "dark/resources"] = [
            "total": 2, "resources": [["resource": "info/root.json"], ["resource": "styles/root.json"]], "nextStart": -1,
        ]
        stage.documents[style] = [
            "version": 8, "layers": [], "sources": ["esri": ["type": "vector", "url": .string(PlanStage.vector)]],
        ]
        stage.documents[imagery] = Documents.tiles(tileSize: 256, levels: 0...19, firstScale: 591657527.591555)
        return stage
    }

    static func entry(
        _ url: String, title: String? = nil, _ settings: LayerOverride = LayerOverride(match: .init(), origin: "night.yaml:5:5"),
        layers: [ServiceEntry.Layer] = []
    ) -> ServiceEntry {
        let source: ServiceEntry.Source = url.contains("/") ? .url(url) : .item(url)
        return ServiceEntry(source: source, title: title, settings: settings, layers: layers)
    }

    static func set(_ change: (inout LayerOverride) -> Void) -> LayerOverride {
        var settings = LayerOverride(match: .init(), origin: "night.yaml:5:5")
        change(&settings)
        return settings
    }

    func plan(_ services: [ServiceEntry], stage: PlanStage? = nil, _ change: (inout Manifest) -> Void = { _ in })
        async throws -> Plan
    {
        try await (stage ?? Self.stage()).plan {
            $0.webMap = nil
            $0.services = services
            change(&$0)
        }
    }

    func refusal(
        _ services: [ServiceEntry], stage: PlanStage? = nil, _ change: (inout Manifest) -> Void = { _ in }
    ) async throws -> PlanRefusal {
        let refusal = await (try stage ?? Self.stage()).refusal {
            $0.webMap = nil
            $0.services = services
            change(&$0)
        }
        return try #require(refusal)
    }
}

/// A job is not of the kind that a test is about.
struct NotThatKind: Error {}
