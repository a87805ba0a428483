import ArcGIS
import Basics
import Geography
import Manifest

/// One exportTiles a tiled map, image or vector tile service and area.
enum TileJobs {
    enum Problem: Error {
        case geography(GeographyError)
        case refused(Failure)
        /// The service has no tile in the area.
        case nothingThere
    }

    static func job(
        _ source: MapSource, _ kind: ExportService, _ info: TiledServiceInfo, area: PlannedArea, context: PlanContext
    ) throws(Problem) -> Job {
        guard let scheme = info.tilingScheme else {
            throw .refused(.refusal("the service does not say how its tiles are laid out", [info.url]))
        }
        let cached = scheme.cached(
            minLOD: info.minLOD, maxLOD: info.maxLOD, minScale: info.minScale, maxScale: info.maxScale)
        let levels =
            try source.override.levelIDs.map { (wanted) throws(Problem) in try explicit(wanted, scheme, info.url) }
            ?? cached.levelIDs(minScale: context.scale.min, maxScale: context.scale.max)
        // 10.7 brought compact cache V2 packages (REST reference 6.4); ArcGIS Online is always newer.
        return try job(
            source, kind, serviceURL: info.url, scheme, extent: info.fullExtent, levels: levels, limit: info.maxExportTilesCount,
            writesCompactV2: (info.currentVersion ?? 99) >= 10.7, area: area, context: context)
    }

    static func job(
        _ source: MapSource, _ info: VectorTileServiceInfo, area: PlannedArea, context: PlanContext
    ) throws(Problem) -> Job {
        guard let scheme = info.tilingScheme else {
            throw .refused(.refusal("the service does not say how its tiles are laid out", [info.url]))
        }
        let cached = scheme.cached(
            minLOD: info.minLOD, maxLOD: info.maxLOD, minScale: info.minScale, maxScale: info.maxScale)
        // Vector tiles start at the lowest level whatever minScale says (REST reference 10.5).
        let levels =
            try source.override.levelIDs.map { (wanted) throws(Problem) in try explicit(wanted, scheme, info.url) }
            ?? cached.levelIDs(minScale: 0, maxScale: context.scale.max)
        return try job(
            source, .vector, serviceURL: info.url, scheme, extent: info.fullExtent, levels: levels,
            limit: info.maxExportTilesCount,
            writesCompactV2: true, area: area, context: context)
    }

    private static func job(
        _ source: MapSource, _ kind: ExportService, serviceURL: String, _ scheme: TilingScheme, extent: ServiceExtent?,
        levels: [Int],
        limit: Int?, writesCompactV2: Bool, area: PlannedArea, context: PlanContext
    ) throws(Problem) -> Job {
        let reference = scheme.spatialReference
        let shape: AreaShape
        let limits: Envelope?
        do throws(GeographyError) {
            shape = try context.shape(of: area, for: source, in: reference)
            limits = try extent.map { (extent) throws(GeographyError) in
                try Projection.project(extent.envelope, from: extent.spatialReference ?? reference, to: reference)
            }
        } catch {
            throw .geography(error)
        }
        let levels = levels.sorted()
        let counts = scheme.tileCount(covering: shape, levels: levels, within: limits)
        let total = counts.map(\.count).reduce(0, +)
        if total == 0 { throw .nothingThere }
        if let limit, total > limit {
            throw .refused(
                .refusal(
                    "the area needs \(total) tiles, the service exports at most \(limit) at once",
                    counts.map { "level \($0.level): \($0.count) tiles" }))
        }
        let request = TileRequest(
            kind: kind, levels: levels, area: shape, spatialReference: reference, writesCompactV2: writesCompactV2)
        let work = TileWork(
            serviceURL: serviceURL, service: kind,
            request: ServiceRequest(url: serviceURL + "/exportTiles", parameters: request.parameters),
            levels: counts)
        let jobKind: Job.Kind = kind == .vector ? .vectorTiles : .tiles
        return Job(
            id: "\(area.id)/\(source.slug)/\(jobKind.rawValue)", area: area.id, layers: source.layers, reason: context.reason,
            estimate: Estimate(tiles: total), key: JobKey.make(jobKind, serviceURL, request.parameters, .null),
            work: kind == .vector ? .vectorTiles(work) : .tiles(work))
    }

    /// Level ids of the manifest must be levels of the service: an id that is none would be left out silently.
    private static func explicit(_ wanted: [Int], _ scheme: TilingScheme, _ url: String) throws(Problem) -> [Int] {
        let known = scheme.levels.map(\.level)
        let unknown = wanted.filter { !known.contains($0) }
        guard unknown.isEmpty else {
            throw .refused(
                .refusal(
                    "level IDs \(TileRequest.text(unknown)) are not levels of the service, which has \(TileRequest.text(known))",
                    [url]))
        }
        return wanted
    }
}

extension TilingScheme {
    /// With only the levels that the service says it really has (REST reference 6.1): scales choose among those, so that a base
    /// map that ends at a coarser level than asked for still gives its finest one.
    func cached(minLOD: Int?, maxLOD: Int?, minScale: Double, maxScale: Double) -> TilingScheme {
        // Scales are published with fewer digits than the levels have.
        let slack = 1e-6
        let present = levels.filter { level in
            (minLOD.map { level.level >= $0 } ?? true) && (maxLOD.map { level.level <= $0 } ?? true)
                && (minScale == 0 || level.scale <= minScale * (1 + slack))
                && (maxScale == 0 || level.scale >= maxScale * (1 - slack))
        }
        // A service that contradicts itself is believed in what it lists.
        return TilingScheme(
            origin: origin, tileWidth: tileWidth, tileHeight: tileHeight, dpi: dpi, spatialReference: spatialReference,
            levels: present.isEmpty ? levels : present)
    }
}
