import Basics
import Geography

/// `exportTiles` and `estimateExportTilesSize`, read and checked (REST reference 6.4 and 7.4).
struct ExportRequest: Sendable {
    var levels: [Int]
    /// In the service's reference; nil is the full extent.
    var area: AreaShape?
    /// What JPEG tiles are brought down to (`optimizeTilesForSize`); nil leaves them as they are.
    var quality: Int?

    init(_ parameters: Parameters, to service: TileService) throws(RESTError) {
        guard service.isExportAllowed else {
            throw RESTError(
                code: 400, message: "Unable to complete operation.",
                details: ["exportTiles operation is not supported on this service."])
        }
        levels = try LevelList.read(parameters["levels"], exportBy: parameters["exportBy"], scheme: service.scheme)
        area = try service.kind == .vector ? Self.vectorArea(parameters) : Self.rasterArea(parameters)
        if service.kind != .vector, parameters.bool("optimizeTilesForSize"), let text = parameters["compressionQuality"] {
            guard let value = Int(text), (0...100).contains(value) else {
                throw .invalidParameters("'compressionQuality' parameter is invalid")
            }
            quality = value
        }
        if parameters.bool("createItem") {
            throw RESTError(
                code: 400, message: "Unable to complete operation.", details: ["createItem is not supported on this server."])
        }
    }

    /// What this server cannot make is refused, not answered with something else.
    static func checkPackage(_ parameters: Parameters, of service: TileService) throws(RESTError) {
        guard service.kind != .vector else { return }
        if !parameters.bool("tilePackage") {
            throw .invalidParameters("tilePackage=false (a cache dataset) is not supported on this server.")
        }
        let format = (parameters["storageFormatType"] ?? parameters["storageFormat"] ?? "CompactV2").lowercased()
        if format == "compact" || format == "esrimapcachestoragemodecompact", service.sampleFile == nil {
            throw .invalidParameters("Storage format Compact is not supported; the cache of this service is CompactV2.")
        }
    }

    /// The area of interest supersedes the extent.
    private static func rasterArea(_ parameters: Parameters) throws(RESTError) -> AreaShape? {
        guard let text = parameters["areaOfInterest"] else { return try extent(parameters["exportExtent"]) }
        guard let tree = try? JSON.parse(text) else { throw .invalidParameters("'areaOfInterest' parameter is invalid") }
        var polygon = Polygon(rings: [])
        for feature in tree["features"]?.array ?? [] {
            let reference = feature["geometry"]?["spatialReference"] ?? tree["spatialReference"]
            guard let geometry = feature["geometry"], let shape = GeometryParameter.shape(geometry) else {
                throw .invalidParameters("'areaOfInterest' parameter is invalid")
            }
            let system =
                try reference.map { tree throws(RESTError) in try GeometryParameter.system(tree.serialized()) } ?? .mercator
            polygon.rings += GeometryParameter.mercator(shape, from: system).polygon.rings
        }
        if polygon.rings.isEmpty { throw .invalidParameters("'areaOfInterest' has no features") }
        return .polygon(polygon)
    }

    private static func vectorArea(_ parameters: Parameters) throws(RESTError) -> AreaShape? {
        if let text = parameters["polygon"] { return try GeometryParameter.shape(text, type: nil, inSR: nil) }
        return try extent(parameters["exportExtent"] ?? parameters["extent"])
    }

    private static func extent(_ text: String?) throws(RESTError) -> AreaShape? {
        guard let text, text.uppercased() != "DEFAULT" else { return nil }
        return try GeometryParameter.shape(text, type: nil, inSR: nil)
    }
}
