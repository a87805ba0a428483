import ArcGIS
import Basics
import Geography
import Manifest
import Synchronization
import Transport

@testable import Planning

/// A portal with one map and its services, as documents; tests change the document that they are about.
///
/// The map shows three layers and two tables of a feature service, a tiled and a vector tile base map, all in Web Mercator, so
/// that areas given in it arrive in the requests digit by digit.
struct PlanStage: HTTPTransport {
    static let portal = "https://gis.example.org/portal"
    static let water = "https://s.example.org/a/rest/services/Water/FeatureServer"
    static let streets = "https://s.example.org/a/rest/services/Streets/MapServer"
    static let vector = "https://v.example.org/a/rest/services/Base/VectorTileServer"

    /// By URL without query.
    var documents: [String: JSON]
    /// Answers of services that are down or closed.
    var refusals: [String: HTTPResponse] = [:]
    /// Answers that depend on the parameters.
    var dynamic: [String: @Sendable ([String: String]) -> JSON] = [:]
    /// What the file of `referenceBasemap` is; nil is no file.
    var basemap: ReferenceBasemap?
    /// What the maps that are out remember.
    var memory: [RememberedService] = []
    var itemMemory: [String: Int] = [:]
    /// For everything else; nil is "Invalid URL".
    var otherwise: (@Sendable (_ path: String) -> JSON?)?
    let asked = Asked()

    final class Asked: Sendable {
        private let paths = Mutex<[String]>([])
        func add(_ path: String) { paths.withLock { $0.append(path) } }
        var all: [String] { paths.withLock { $0 } }
    }

    init() throws {
        documents = [
            Self.portal + "/sharing/rest/portals/self": ["id": "p", "isPortal": true],
            Self.portal + "/sharing/rest/content/items/map1": [
                "id": "map1", "type": "Web Map", "title": "Water", "typeKeywords": ["Web Map"],
            ],
            Self.portal + "/sharing/rest/content/items/map1/data": try JSON.parse(Documents.map),
            Self.water: try JSON.parse(Documents.service), Self.water + "/layers": try JSON.parse(Documents.layers),
            Self.streets: Documents.tiles(tileSize: 256, levels: 0...19, firstScale: 591657527.591555),
            Self.vector: Documents.tiles(tileSize: 512, levels: 0...16, firstScale: 295828763.795777),
        ]
    }

    /// The map's document.
    var map: JSON {
        get { documents[Self.portal + "/sharing/rest/content/items/map1/data"] ?? .null }
        set { documents[Self.portal + "/sharing/rest/content/items/map1/data"] = newValue }
    }

    /// Sets members of the feature service's layer; `null` takes one away.
    mutating func changeLayer(_ id: Int, _ members: JSON) {
        for section in ["layers", "tables"] {
            guard let list = documents[Self.water + "/layers"]?[section]?.array else { continue }
            let changed = list.map { $0["id"]?.int == id ? $0.with(members) : $0 }
            documents[Self.water + "/layers"]?[section] = .array(changed)
        }
    }

    mutating func change(_ url: String, _ members: JSON) { documents[url] = documents[url]?.with(members) }

    /// Sets members of a layer of the map, at any depth.
    mutating func changeMapLayer(_ id: String, _ members: JSON) throws {
        guard let layer = try WebMap(document: map).layer(id) else { return }
        map = map.changing(layer.path) { $0.with(members) }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let path = request.url.split(separator: "?")[0].description
        asked.add(path)
        if let refusal = refusals[path] { return refusal }
        let answer = dynamic[path]?(request.parameters) ?? documents[path] ?? otherwise?(path)
        guard let answer else { return .json(["error": ["code": 400, "message": "Invalid URL", "details": []]], path) }
        return .json(answer, path)
    }

    func download(
        _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome {
        .response(try await send(request))
    }
}

extension PlanStage {
    static let box = Envelope(xmin: -9_813_000, ymin: 5_123_000, xmax: -9_812_000, ymax: 5_124_000)

    static func area(_ id: String = "downtown", _ shape: AreaShape = .envelope(box), buffer: Double = 0) -> AreaSource {
        AreaSource(id: id, place: .shape(shape, .webMercator), buffer: buffer, origin: "night.yaml:4:5")
    }

    func plan(
        only: Set<String> = [], asking wishes: EstimateWishes = [], _ change: (inout Manifest) -> Void = { _ in }
    ) async throws(PlanRefusal) -> Plan {
        let basemap = basemap
        let planner = Planner(
            client: client,
            inspectBasemap: { (path) async throws(Failure) in
                guard var found = basemap else { throw .refusal("there is no file \(path)") }
                found.path = path
                return found
            }, memory: MapMemory(services: { [memory] in memory }, itemEdits: { [itemMemory] in itemMemory }))
        return try await planner.plan(manifest(change), only: only, asking: wishes)
    }

    func lint(_ change: (inout Manifest) -> Void = { _ in }) async throws(PlanRefusal) -> [LintFinding] {
        try await Linter(client: client).lint(manifest(change))
    }

    private var client: ArcGISClient {
        ArcGISClient(transport: self, portal: Self.portal, credentials: CredentialStore(.none))
    }

    private func manifest(_ change: (inout Manifest) -> Void) -> Manifest {
        var manifest = Manifest(
            name: "night", path: "/m/night.yaml", portal: PortalSettings(url: Self.portal), webMap: .item("map1"),
            areas: [Self.area()], output: OutputSettings(directory: "/m/out"))
        change(&manifest)
        return manifest
    }

    /// The refusal that planning ends with; nil when there is a plan.
    func refusal(_ change: (inout Manifest) -> Void = { _ in }) async -> PlanRefusal? {
        do throws(PlanRefusal) {
            _ = try await plan(change)
            return nil
        } catch {
            return error
        }
    }
}

extension Plan {
    /// The form of a job by its id without the area: `water/replica`.
    func form(_ job: String, area: String = "downtown") -> [String: String]? {
        jobs.first { $0.id == "\(area)/\(job)" }?.request?.parameters
    }

    func layer(_ id: String) -> PlannedLayer? { layers.first { $0.id == id } }
    var exports: [Job] { jobs.filter(\.kind.isExport) }
}

extension JSON {
    func with(_ members: JSON) -> JSON {
        (members.object?.members ?? []).reduce(self) { json, member in
            var json = json
            json[member.key] = member.value.isNull ? nil : member.value
            return json
        }
    }
}

extension HTTPResponse {
    static func json(_ document: JSON, _ url: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(document.serialized().utf8), url: url)
    }
}

extension HTTPRequest {
    /// Query and form merged, decoded.
    fileprivate var parameters: [String: String] {
        let query = url.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        var result: [String: String] = [:]
        for pair in (query + "&" + String(decoding: body, as: UTF8.self)).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            result[String(parts[0])] = parts.count > 1 ? String(parts[1]).removingPercentEncoding : ""
        }
        return result
    }
}
