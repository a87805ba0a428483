import ArcGIS
import Basics
import Geography
import Manifest
import TestSupport
import Testing
import Transport

@testable import Planning

/// Services as they are in the wild, and spoiled ones, named by a manifest.
@Suite("Services of the manifest, in the wild")
struct ServiceCorpusTests {
    private static let url = "https://s.example.org/a/rest/services/Wild/FeatureServer"

    @Test(
        "every layer of every recorded feature service is in the map",
        .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func recorded() throws {
        var total = 0
        for name in try Files.list(SharedFiles.path("recorded/featureservers")) {
            let root = try JSON.parse(Files.read(SharedFiles.path("recorded/featureservers/" + name)))
            let listed = ["layers", "tables"].flatMap { root[$0]?.array ?? [] }.filter {
                $0["id"]?.int != nil && $0["type"]?.string != "Group Layer"
            }
            let address = try #require(ServiceAddress(Self.url))
            var layers = ServiceLayers(besides: try WebMap(document: ["operationalLayers": []]))
            layers.add(
                NamedService(entry: ServiceEntry(source: .url(Self.url)), address: address),
                ServiceOutline(.feature(FeatureServiceInfo(url: Self.url, root: root))))
            let map = try WebMap(document: layers.put(into: [:]))
            if listed.isEmpty {
                #expect(map.layers.map(\.url) == [Self.url], "\(name)")
            } else {
                #expect(Set(map.layers.compactMap(\.layerID)) == Set(listed.compactMap { $0["id"]?.int }), "\(name)")
                #expect(map.layers.count == listed.count && Set(map.layers.map(\.id)).count == listed.count, "\(name)")
                #expect(map.warnings.isEmpty, "\(name)")
            }
            #expect(Set(layers.overrides.compactMap(\.match.id)) == Set(map.layers.map(\.id)), "\(name)")
            total += listed.count
        }
        // Counted by Python: `sum(1 for k in ("layers", "tables") for x in d.get(k) or [] if "id" in x and x.get("type") != "Group Layer")`.
        #expect(total == 76)
    }

    @Test("spoiled services and items: a plan or a reason", arguments: [JSON.null, "odd", -7, [], [:], 1e308])
    func spoiled(_ value: JSON) async throws {
        let item = PlanStage.portal + "/sharing/rest/content/items/network"
        var whole = try PlanStage()
        whole.documents[item] = [
            "id": "network", "type": "Feature Service", "title": "Water network", "url": .string(PlanStage.water),
        ]
        for url in [item, PlanStage.water, PlanStage.water + "/layers", PlanStage.vector] {
            let document = try #require(whole.documents[url])
            for path in Self.paths(document) {
                var stage = whole
                stage.documents[url] = document.changing(path) { _ in value }
                do throws(PlanRefusal) {
                    let plan = try await stage.plan {
                        $0.webMap = nil
                        $0.services = [ServiceEntry(source: .item("network")), ServiceEntry(source: .url(PlanStage.vector))]
                        $0.scale = ScaleRange(min: 10_000, max: 2_000)
                    }
                    #expect(Set(plan.layers.map(\.id)).count == plan.layers.count && !plan.layers.isEmpty, "\(path)")
                    #expect(plan.layers.map(\.id) == (try? WebMap(document: plan.map.document))?.layers.map(\.id), "\(path)")
                    #expect(Set(plan.jobs.map(\.id)).count == plan.jobs.count, "\(path)")
                } catch {
                    #expect(!error.problems.isEmpty && error.problems.allSatisfy { !$0.failure.message.isEmpty }, "\(path)")
                    #expect(error.outcome != .internal, "\(path): \(error.problems.map(\.failure.message))")
                }
            }
        }
    }

    /// Paths of all members down to the third level; of lists the first two items.
    private static func paths(_ value: JSON, _ prefix: [JSONStep] = []) -> [[JSONStep]] {
        if prefix.count == 3 { return [prefix] }
        let own = prefix.isEmpty ? [] : [prefix]
        switch value {
        case .object(let object): return own + object.members.flatMap { paths($0.value, prefix + [.key($0.key)]) }
        case .array(let items): return own + items.prefix(2).enumerated().flatMap { paths($1, prefix + [.index($0)]) }
        default: return own
        }
    }

    /// The demo portal in this process: its services by item and by address, planned and inspected without an export.
    @Test("services of the demo portal", arguments: [false, true])
    func demoPortal(_ isOnline: Bool) async throws {
        let portal = try PortalFixture { $0.flavour = isOnline ? .agol : .server }
        let client = ArcGISClient(transport: CurlTransport(), portal: portal.portalURL, credentials: CredentialStore(.none))
        let manifest = Manifest(
            name: "n", path: "/m/n.yaml", portal: PortalSettings(url: portal.portalURL), webMap: nil,
            services: [
                ServiceEntry(source: .url(portal.service("Town_Elevation/ImageServer"))),
                ServiceEntry(source: .item("b19d8e6f3a0c47fee1fce3decfb0a191")),
                ServiceEntry(source: .url(portal.service("Water_Network/FeatureServer"))),
                ServiceEntry(source: .url(portal.service("Parcels/FeatureServer"))),
                ServiceEntry(source: .url(portal.service("Display_Only/MapServer"))),
            ],
            areas: [
                AreaSource(
                    id: "a",
                    place: .shape(.envelope(Envelope(xmin: -88.16, ymin: 41.765, xmax: -88.14, ymax: 41.78)), .wgs84))
            ],
            scale: ScaleRange(min: 40_000, max: 8_000), output: OutputSettings(directory: "/m/out"))
        let planner = Planner(client: client) { (path) async throws(Failure) in throw .refusal("there is no file \(path)") }
        let plan = try await planner.plan(manifest, asking: [.rows])
        #expect(
            plan.layers.map(\.rule) == [
                "OB006 tile-export", "OB007 vector-tile-export", "OB021 export-not-allowed",
            ] + Array(repeating: "OB001 replica", count: 5) + ["OB010 no-sync", "OB001 replica"])
        #expect(plan.jobs.map(\.kind) == [.tiles, .vectorTiles, .style, .replica, .package, .publish])
        #expect(plan.jobs.first { $0.kind == .replica }?.estimate.rows ?? 0 > 0)
        let inspection = try await Inspection.inspect(item: "3f1b0c8d5e2a4f7698c7d6e5b4a39281", client: client)
        #expect(inspection.title == "Water_Network" && inspection.layers.count == 6)
        #expect(inspection.layers.allSatisfy { $0.verdict == .replica && inspection.sizes[$0.layer.id] != nil })
        #expect(!portal.journal.contains { $0.path.hasSuffix("/createReplica") || $0.path.hasSuffix("/exportTiles") })
    }
}
