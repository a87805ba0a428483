import Basics

/// Everything below a tile service that is not its fixed description (REST reference 6 and 7).
struct TileRoutes: Sendable {
    let core: Core
    let service: TileService

    func answer(_ rest: [Substring], _ request: Request, _ caller: Caller) throws(RESTError) -> Answer {
        switch (rest.first, rest.count) {
        case ("tile", 4): return .response(try tile(rest))
        case ("tilemap", 1):
            guard let tilemap = service.tilemap else { throw .invalidURL }
            return .json(tilemap)
        case ("tilemap", 6) where service.kind != .vector: return .json(try block(rest))
        case ("resources", 2...) where service.kind == .vector:
            guard let response = service.resource(rest.dropFirst().joined(separator: "/")) else { throw .notFound() }
            return .response(response)
        case ("exportTiles", 1...2) where rest.count == 1 || rest[1] == "submitJob":
            return try exports.submit(request, caller)
        case ("estimateExportTilesSize", 1...2) where rest.count == 1 || rest[1] == "submitJob":
            guard service.kind != .vector else { throw .invalidURL }
            return try exports.estimate(request, caller)
        case ("exportTiles", 3...) where rest[1] == "jobs" && service.kind != .vector:
            return try exports.job(rest.dropFirst(2), base: "exportTiles/jobs", request)
        case ("estimateExportTilesSize", 3...) where rest[1] == "jobs":
            return try exports.job(rest.dropFirst(2), base: "estimateExportTilesSize/jobs", request)
        case ("jobs", 2...) where service.kind == .vector || core.flavour == .agol:
            return try exports.job(rest.dropFirst(), base: "jobs", request)
        default: throw .invalidURL
        }
    }

    private var exports: ExportRoutes { ExportRoutes(core: core, service: service) }

    /// Row before column. A missing tile is a real 404.
    private func tile(_ rest: [Substring]) throws(RESTError) -> Response {
        let name = rest[3].hasSuffix(".pbf") ? rest[3].dropLast(4) : rest[3]
        guard let level = Int(rest[1]), let row = Int(rest[2]), let column = Int(name),
            let bytes = service.tile(level, row, column)
        else { throw .notFound() }
        var response = Response.data(bytes, service.contentType)
        if service.kind == .vector { response.headers.append(("Content-Encoding", "gzip")) }
        response.headers.append(("Cache-Control", "max-age=86400"))
        return response
    }

    /// `tilemap/{level}/{row}/{column}/{width}/{height}`.
    private func block(_ rest: [Substring]) throws(RESTError) -> JSON {
        let numbers = rest.dropFirst().compactMap { Int($0) }
        guard numbers.count == 5, (1...128).contains(numbers[3]), (1...128).contains(numbers[4]) else { throw .invalidURL }
        let (level, top, left) = (numbers[0], numbers[1], numbers[2])
        guard let range = service.scheme.tiles(covering: service.fullExtent, level: level) else { throw .invalidURL }
        let data = (0..<numbers[4]).flatMap { row in
            (0..<numbers[3]).map { column -> JSON in
                range.rows.contains(top + row) && range.columns.contains(left + column) ? 1 : 0
            }
        }
        return [
            "adjusted": false,
            "location": ["left": JSON(left), "top": JSON(top), "width": JSON(numbers[3]), "height": JSON(numbers[4])],
            "data": .array(data),
        ]
    }
}
