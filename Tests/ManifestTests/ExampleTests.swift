import Basics
import Geography
import Manifest
import TestSupport
import Testing

/// The manifests that come with the project.
@Suite struct ExampleTests {
    private func load(_ name: String) -> ManifestResult { Manifest.load(path: SharedFiles.packageRoot + "/manifests/" + name) }

    @Test func naperville() throws {
        let result = load("naperville.yaml")
        #expect(result.allText == "")
        let manifest = try #require(result.manifest)
        #expect(manifest.webMap == .item("acc027394bc84c2fb04d1ed317aac674"))
        #expect(manifest.portal == PortalSettings(url: "https://www.arcgis.com", auth: .none))
        #expect(manifest.areas.map(\.id) == ["downtown", "riverwalk"])
        #expect(
            manifest.areas[0].place
                == .shape(
                    .envelope(Envelope(xmin: -88.16, ymin: 41.765, xmax: -88.14, ymax: 41.78)), SpatialReference(wkid: 4326)))
        #expect(manifest.areas[1].buffer == 250)
        #expect(manifest.scale == ScaleRange(min: 10000, max: 500))
        #expect(manifest.options.returnLayerAttachmentOption == .editableLayers)
        #expect(
            manifest.output == OutputSettings(directory: SharedFiles.packageRoot + "/manifests/out/naperville-water", keep: 7))
        guard case .shape(.polygon(let polygon), _) = manifest.areas[1].place else { throw NotAPolygon() }
        #expect(polygon.rings.map(\.count) == [11])
        #expect(polygon.envelope == Envelope(xmin: -88.1587, ymin: 41.7668, xmax: -88.1451, ymax: 41.7735))
    }

    @Test func overrides() throws {
        let result = load("naperville-overrides.yaml")
        #expect(result.allText == "")
        let layers = try #require(result.manifest).layers
        #expect(layers.map(\.match.title) == ["World Street Map", "System Valve", "Service Connection", "Hydrant", "Main"])
        #expect(layers[0].levelIDs == [12, 13, 14, 15, 16, 17] && layers[0].buffer == 200)
        #expect(layers.map(\.exclude) == [false, true, true, false, false])
        #expect(layers[3].whereClause == "FLOW >= 500")
        #expect(layers.map(\.useGeometry) == [nil, nil, nil, nil, false])
    }

    @Test func services() throws {
        let result = load("services.yaml")
        #expect(result.allText == "")
        let manifest = try #require(result.manifest)
        #expect(manifest.webMap == nil)
        #expect(
            manifest.services.map(\.title) == ["Heights", "Street tiles", "Streets by day", "Streets by night", "Water network"])
        #expect(manifest.services.map(\.settings.vectorTiles) == [nil, nil, .tiles, .style, nil])
        #expect(manifest.services[4].layers.map(\.id) == [0, 3, 5])
    }

    @Test func stormwater() throws {
        let result = load("stormwater.yaml")
        #expect(result.allText == "")
        let manifest = try #require(result.manifest)
        #expect(manifest.areas.map(\.id) == ["north-west", "north-east", "south-west", "south-east"])
        let rings = manifest.areas.map { area in
            if case .shape(.polygon(let polygon), _) = area.place { polygon.rings.count } else { 0 }
        }
        #expect(rings == [1, 1, 2, 2])
        #expect(manifest.limits.jobDeadline == .seconds(1800) && manifest.limits.jobsPerHost == 2)
    }
}

struct NotAPolygon: Error {}
