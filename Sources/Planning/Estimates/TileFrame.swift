import ArcGIS
import Basics
import Geography

/// All tiles of an export job, from which some are looked at: read from what the job sends, so that the sample is of what will come.
struct TileFrame {
    /// A level or several whose tiles are counted together.
    struct Stratum {
        var levels: [(level: Int, spans: [TileSpan])]
        var population: Int { levels.reduce(0) { $0 + $1.spans.reduce(0) { $0 + $1.columns.count } } }

        /// Level by level, row by row.
        subscript(index: Int) -> (level: Int, row: Int, column: Int)? {
            var rest = index
            for (level, spans) in levels {
                for span in spans {
                    if rest < span.columns.count { return (level, span.row, span.columns.lowerBound + rest) }
                    rest -= span.columns.count
                }
            }
            return nil
        }
    }

    var strata: [Stratum]
    /// Blocks of 128 × 128 tiles, each with an index of its own (formats.md 1.2, 1.3).
    var bundles: Int
    var levels: Int

    /// Rows of one level that are walked and kept: more than a continent has at level 22.
    private static let mostRows = 1 << 20

    /// So many tiles that they are not listed.
    static func isTooMany(_ work: TileWork, offer: TileOffer) -> Bool {
        guard let scheme = offer.tilingScheme, let box = TileRequest.area(in: work.request.parameters)?.envelope else {
            return false
        }
        let extent = offer.extent(in: scheme.spatialReference)
        return work.levels.contains { count in
            count.count >= TileCount.most
                || scheme.tiles(covering: box, level: count.level, within: extent).map { $0.rows.count > mostRows } ?? false
        }
    }

    /// nil when the job's own parameters cannot be read.
    /// - Parameter strata: at most so many: the finest levels, which have most tiles, alone and the others together.
    init?(_ work: TileWork, offer: TileOffer, strata limit: Int) {
        guard let scheme = offer.tilingScheme, let area = TileRequest.area(in: work.request.parameters) else { return nil }
        let extent = offer.extent(in: scheme.spatialReference)
        let covered = work.levels.filter { $0.count > 0 }.sorted { $0.level < $1.level }.map { count in
            (level: count.level, spans: scheme.tileSpans(covering: area, level: count.level, within: extent))
        }
        levels = covered.count
        bundles = covered.reduce(0) { $0 + Self.bundles($1.spans) }
        let alone = min(limit - 1, max(0, covered.count - 1))
        let together = Stratum(levels: Array(covered.dropLast(alone)))
        strata = ([together] + covered.suffix(alone).map { Stratum(levels: [$0]) }).filter { $0.population > 0 }
        if strata.isEmpty { return nil }
    }

    private static func bundles(_ spans: [TileSpan]) -> Int {
        let side = 128
        var count = 0
        // Spans come row by row; those of a block stand together.
        var rest = spans[...]
        while let block = rest.first.map({ $0.row / side }) {
            let rows = rest.prefix { $0.row / side == block }
            rest = rest.dropFirst(rows.count)
            var counted = 0
            for columns in rows.map(\.columns).filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
                let end = (columns.upperBound - 1) / side + 1
                count += max(0, end - max(counted, columns.lowerBound / side))
                counted = max(counted, end)
            }
        }
        return count
    }
}

extension TileOffer {
    /// Where the service has tiles, in its tiling scheme's reference. An extent that cannot be projected (a whole world in degrees)
    /// limits nothing.
    func extent(in reference: SpatialReference) -> Envelope? {
        fullExtent.flatMap { try? Projection.project($0.envelope, from: $0.spatialReference ?? reference, to: reference) }
    }
}

extension TileRequest {
    /// What a form asks for.
    static func area(in form: [String: String]) -> AreaShape? {
        if let text = form["areaOfInterest"], let json = try? JSON.parse(text) {
            return AreaShape(esriJSON: json["features"]?[0]?["geometry"])
        }
        if let text = form["polygon"], let json = try? JSON.parse(text) { return AreaShape(esriJSON: json) }
        let numbers = (form["exportExtent"] ?? "").split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 4 else { return nil }
        return .envelope(Envelope(xmin: numbers[0], ymin: numbers[1], xmax: numbers[2], ymax: numbers[3]))
    }
}
