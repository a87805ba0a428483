import ArcGIS
import Basics

/// How large a layer is as a whole, as far as its service says so without work: what is in its description, and one count.
public struct SizeHints: Sendable, Hashable {
    /// Rows that pass the layer's definition expression.
    public var rows: Int?
    /// Ids of the cached levels.
    public var levels: ClosedRange<Int>?
    /// Tiles that one export may have.
    public var maxExportTiles: Int?
    /// `PNG`, `LERC`, `pbf` …
    public var format: String?

    public init(rows: Int? = nil, levels: ClosedRange<Int>? = nil, maxExportTiles: Int? = nil, format: String? = nil) {
        self.rows = rows
        self.levels = levels
        self.maxExportTiles = maxExportTiles
        self.format = format
    }

    init(_ offer: TileOffer) {
        let ids = offer.cachedScheme?.levels.map(\.level) ?? []
        if let first = ids.min(), let last = ids.max() { levels = first...last }
        maxExportTiles = offer.maxExportTilesCount
        format = offer.tileInfo["format"]?.string
    }

    var json: JSON {
        var object = JSONObject()
        if let rows { object["rows"] = JSON(rows) }
        if let levels { object["levels"] = .string("\(levels.lowerBound)-\(levels.upperBound)") }
        if let maxExportTiles { object["maxExportTiles"] = JSON(maxExportTiles) }
        if let format { object["format"] = .string(format) }
        return .object(object)
    }

    /// By layer id; layers of which nothing is known are absent. Asks one count for each layer with rows, four at a time.
    static func read(_ layers: [LayerAssessment], _ catalogue: ServiceCatalogue, client: ArcGISClient) async -> [String:
        SizeHints]
    {
        var hints: [String: SizeHints] = [:]
        var queries: [String: ServiceRequest] = [:]
        for assessment in layers {
            switch catalogue[assessment.layer] {
            case .tiled(let service)? where service.isCached: hints[assessment.layer.id] = SizeHints(service.offer)
            case .vectorTile(let service)?: hints[assessment.layer.id] = SizeHints(service.offer)
            case .feature(let service)?:
                guard let id = assessment.layerID ?? assessment.layer.layerID, service.layer(id) != nil else { continue }
                queries[assessment.layer.id] = ServiceRequest(
                    url: "\(service.url)/\(id)/query", parameters: ["where": assessment.layer.definitionExpression ?? "1=1"])
            default: break
            }
        }
        let counts = await concurrently(queries.values, limit: 4) { query in
            // What a service does not count is not known, and no reason to stop.
            try? await client.count(ServiceQuery(url: query.url, parameters: query.parameters))
        }
        for (id, query) in queries {
            if let rows = counts[query] ?? nil { hints[id] = SizeHints(rows: rows) }
        }
        return hints
    }
}
