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
        // 10.7 brought compact cache V2 packages (REST reference 6.4); ArcGIS Online is always newer.
        try job(
            source, kind, info.offer, minScale: context.scale.min, writesCompactV2: (info.currentVersion ?? 99) >= 10.7,
            area: area, context: context)
    }

    static func job(
        _ source: MapSource, _ info: VectorTileServiceInfo, area: PlannedArea, context: PlanContext
    ) throws(Problem) -> Job {
        // Vector tiles start at the lowest level whatever minScale says (REST reference 10.5).
        try job(source, .vector, info.offer, minScale: 0, writesCompactV2: true, area: area, context: context)
    }

    private static func job(
        _ source: MapSource, _ kind: ExportService, _ offer: TileOffer, minScale: Double, writesCompactV2: Bool,
        area: PlannedArea, context: PlanContext
    ) throws(Problem) -> Job {
        guard let scheme = offer.tilingScheme, let cached = offer.cachedScheme else {
            throw .refused(.refusal("the service does not say how its tiles are laid out", [offer.url]))
        }
        let chosen =
            try chosenLevels(source.override, scheme, cached, offer.url)
            ?? cached.levelIDs(minScale: minScale, maxScale: context.scale.max)
        let levels = chosen.sorted()
        let reference = scheme.spatialReference
        let shape: AreaShape
        do throws(GeographyError) {
            shape = try context.shape(of: area, for: source, in: reference)
        } catch {
            throw .geography(error)
        }
        // Before 10.7 vector tile services took boxes only (REST reference 7.4), and the default is all of the service.
        if kind == .vector, (offer.currentVersion ?? 99) < 10.7, (try? shape.isSplit(in: reference)) == true {
            throw .refused(
                .refusal("the service is older than 10.7 and cannot export an area that crosses the antimeridian", [offer.url]))
        }
        let counts = scheme.tileCount(covering: shape, levels: levels, within: offer.extent(in: reference))
        let total = counts.map(\.count).reduce(0, +)
        if total == 0 { throw .nothingThere }
        if let limit = offer.maxExportTilesCount, total > limit {
            throw .refused(
                .refusal(
                    "the area needs \(total) tiles, the service exports at most \(limit) at once",
                    counts.map { "level \($0.level): \($0.count) tiles" } + fitting(counts, limit)))
        }
        let quality = source.override.compressionQuality
        // The service cannot give back what its own tiles have lost (REST reference 6.4).
        if let quality, let own = offer.tileInfo["compressionQuality"]?.int, own > 0, quality > own {
            throw .refused(
                .refusal("compressionQuality: \(quality) is more than the \(own) of the service's own tiles", [offer.url]))
        }
        let request = TileRequest(
            kind: kind, levels: levels, area: shape, spatialReference: reference, writesCompactV2: writesCompactV2,
            compressionQuality: quality)
        let work = TileWork(
            serviceURL: offer.url, service: kind,
            request: ServiceRequest(url: offer.url + "/exportTiles", parameters: request.parameters),
            levels: counts)
        let jobKind: Job.Kind = kind == .vector ? .vectorTiles : .tiles
        let stamp = context.stamp(ofItems: source.serviceItems)
        return Job(
            id: "\(area.id)/\(source.slug)/\(jobKind.rawValue)", area: area.id, layers: source.layers, reason: context.reason,
            estimate: Estimate(tiles: total), key: JobKey.make(jobKind, offer.url, request.parameters, stamp.json),
            work: kind == .vector ? .vectorTiles(work) : .tiles(work), stamp: stamp,
            refresh: source.override.refresh ?? context.tileRefresh)
    }

    /// How far down the levels would go that the service exports at once; nothing when even the first is too much.
    private static func fitting(_ counts: [TileCount], _ limit: Int) -> [String] {
        var total = 0
        let fits = counts.prefix {
            total += $0.count
            return total <= limit
        }
        return fits.last.map { ["up to level \($0.level) it would fit"] } ?? []
    }

    /// What the manifest says of this layer; nil when scales decide.
    private static func chosenLevels(
        _ entry: OverrideTable.Entry, _ scheme: TilingScheme, _ cached: TilingScheme, _ url: String
    ) throws(Problem) -> [Int]? {
        if let wanted = entry.levelIDs { return try explicit(wanted, scheme, url) }
        guard let last = entry.maxLevel else { return nil }
        _ = try explicit([last], scheme, url)
        return cached.levels.map(\.level).filter { $0 <= last }
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
