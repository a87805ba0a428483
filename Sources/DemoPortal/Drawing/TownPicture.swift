import Geography

import func Glibc.atan2
import func Glibc.log2

/// The town prepared for drawing: its lines with their look, and an index over each kind.
struct TownPicture: Sendable {
    private let plan: TownPlan
    private let river: [Coordinate]
    private let parks: [Polygon]
    private let lakes: [Polygon]
    private let districts: [Polygon]
    private let streets: [Street]
    private let mains: [Drawn]
    private let hydrants: [Drawn]
    private let valves: [Drawn]
    private let connections: [Drawn]
    private let grids: Grids

    private struct Drawn: Sendable {
        var paths: [[Coordinate]]
        /// The value that the look follows.
        var kind: String
    }

    private struct Grids: Sendable {
        var streets: FeatureGrid
        var arterials: FeatureGrid
        var mains: FeatureGrid
        var hydrants: FeatureGrid
        var valves: FeatureGrid
        var connections: FeatureGrid
        var parks: FeatureGrid
    }

    init(_ dataset: TownDataset) {
        plan = dataset.plan
        river = dataset.plan.river
        parks = dataset.parks
        lakes = dataset.lakes
        streets = dataset.streets
        districts = dataset.water[4].rows.compactMap { if case .polygon(let polygon) = $0.shape { polygon } else { nil } }
        hydrants = Self.drawn(dataset.water[0], kind: nil)
        valves = Self.drawn(dataset.water[1], kind: nil)
        connections = Self.drawn(dataset.water[2], kind: "STATUS")
        mains = Self.drawn(dataset.water[3], kind: "MATERIAL")
        let extent = dataset.extent
        grids = Grids(
            streets: FeatureGrid(boxes: streets.map { Envelope(around: $0.path) }, extent: extent),
            arterials: FeatureGrid(boxes: streets.map { $0.isArterial ? Envelope(around: $0.path) : nil }, extent: extent),
            mains: FeatureGrid(dataset.water[3], extent: extent), hydrants: FeatureGrid(dataset.water[0], extent: extent),
            valves: FeatureGrid(dataset.water[1], extent: extent), connections: FeatureGrid(dataset.water[2], extent: extent),
            parks: FeatureGrid(boxes: parks.map(\.envelope), extent: extent))
    }

    private static func drawn(_ table: FeatureTable, kind field: String?) -> [Drawn] {
        let column = field.flatMap { name in table.fields.firstIndex { $0.name == name } }
        return table.rows.map { row in
            var kind = ""
            if let column, case .text(let text) = row.values[column - 2] { kind = text }
            switch row.shape {
            case .point(let place): return Drawn(paths: [[place]], kind: kind)
            case .polyline(let paths): return Drawn(paths: paths, kind: kind)
            case .polygon(let polygon): return Drawn(paths: polygon.rings, kind: kind)
            case nil: return Drawn(paths: [], kind: kind)
            }
        }
    }

    static let land = Canvas.Color(0xF4F1EA)
    private static let water = Canvas.Color(0xA8CCE4)

    /// Draws one tile; nil only when memory is out.
    func draw(_ box: Envelope, level: Int, size: Int) -> Canvas? {
        guard let canvas = Canvas(width: size, height: size, background: Self.land) else { return nil }
        let pen = Pen(canvas: canvas, box: box, pixels: Double(size) / box.width)
        drawGround(pen, level)
        drawStreets(pen, level)
        drawNetwork(pen, level)
        if level >= 15 + plan.detailShift { drawNames(pen, level) }
        return canvas
    }

    /// A square PNG of 200 px around the box, drawn as the tiles of that scale are.
    func thumbnail(of box: Envelope) -> [UInt8] {
        let size = 200
        let half = max(box.width, box.height, 100) / 2
        let square = Envelope(
            xmin: box.center.x - half, ymin: box.center.y - half, xmax: box.center.x + half, ymax: box.center.y + half)
        let level = Int(log2(2 * WebMercator.halfWorld / 256 / (square.width / Double(size))).rounded())
        return draw(square, level: max(0, min(19, level)), size: size)?.png() ?? []
    }

    private func drawGround(_ pen: Pen, _ level: Int) {
        let town = Canvas.Color(0xEBE6DA)
        pen.fill([plan.ring(0, 0, Double(plan.blocks), Double(plan.blocks), stepsPerSide: 24)], town)
        if level >= 11 {
            for park in grids.parks.features(touching: pen.near) { pen.fill(parks[park].rings, Canvas.Color(0xCDE6B8)) }
        }
        let tints: [UInt32] = [0xD9534F, 0x5B8DB8, 0x6BA368, 0xE0A030, 0x8E6BB8, 0x4FB0AE, 0xC07850, 0x9A9A50, 0x7080C0]
        for (index, district) in districts.enumerated() {
            guard district.envelope?.intersects(pen.near) == true else { continue }
            pen.fill(district.rings, Canvas.Color(tints[index % tints.count], alpha: 0.07))
        }
        for lake in lakes where lake.envelope?.intersects(pen.near) == true { pen.fill(lake.rings, Self.water) }
        let riverWidth = max(level >= 8 ? 1.2 : 0.5, plan.riverWidth * pen.pixels)
        pen.stroke([river], Canvas.Color(0x8DB8D6), width: riverWidth + (level >= 12 ? 2 : 0))
        pen.stroke([river], Self.water, width: riverWidth)
        guard level >= 11 else { return }
        for district in districts where district.envelope?.intersects(pen.near) == true {
            pen.stroke(district.rings, Canvas.Color(0x7A6A94, alpha: 0.8), width: level >= 14 ? 2 : 1, dashes: [8, 3, 2, 3])
        }
    }

    private func drawStreets(_ pen: Pen, _ level: Int) {
        guard level >= 9 else { return }
        let localLevel = 12 + plan.detailShift
        let found = (level >= localLevel ? grids.streets : grids.arterials).features(touching: pen.near).map { streets[$0] }
        let arterials = found.filter(\.isArterial).map(\.path)
        let locals = found.filter { !$0.isArterial }.map(\.path)
        let arterialWidth = max(level >= 12 ? 2.5 : 1.2, 22 * pen.pixels)
        let localWidth = max(1, 12 * pen.pixels)
        if level >= 13 {
            let casing = Canvas.Color(0xBDB5A6)
            pen.stroke(locals, casing, width: localWidth + 1.6)
            pen.stroke(arterials, Canvas.Color(0xC99A4B), width: arterialWidth + 2)
            pen.stroke(locals, Canvas.Color(0xFFFFFF), width: localWidth)
        } else {
            pen.stroke(locals, Canvas.Color(0xCFC7B8), width: localWidth)
        }
        pen.stroke(arterials, level >= 13 ? Canvas.Color(0xFBD98B) : Canvas.Color(0xE3B155), width: arterialWidth)
    }

    private func drawNetwork(_ pen: Pen, _ level: Int) {
        if level >= 17 + plan.detailShift / 2 {
            for connection in grids.connections.features(touching: pen.near).map({ connections[$0] }) {
                drawHouse(pen, connection)
            }
        }
        guard level >= 14 + plan.detailShift / 2 else { return }
        let found = grids.mains.features(touching: pen.near).map { mains[$0] }
        let width = level >= 17 ? 3.0 : level >= 15 ? 2.0 : 1.2
        let looks: [(kind: String, color: UInt32, dashes: [Double])] = [
            ("Ductile iron", 0x1F5FD6, []), ("Cast iron", 0x123E8C, [9, 4]), ("PVC", 0x1690B4, [2.5, 3]),
            ("", 0x7A7AC8, [14, 4]),
        ]
        for look in looks {
            let paths = found.filter { $0.kind == look.kind }.flatMap(\.paths)
            pen.stroke(paths, Canvas.Color(look.color), width: width, dashes: look.dashes)
        }
        guard level >= 16 else { return }
        if level >= 17 {
            for valve in grids.valves.features(touching: pen.near) {
                for path in valves[valve].paths { pen.square(path[0], half: level >= 18 ? 4 : 2.5, Canvas.Color(0x0A3C9E)) }
            }
        }
        let radius = Double(level - 16) * 1.4 + 3
        for hydrant in grids.hydrants.features(touching: pen.near) {
            for path in hydrants[hydrant].paths { pen.dot(path[0], radius: radius, Canvas.Color(0xD62F27)) }
        }
    }

    /// The line to a house, and the house at its end.
    private func drawHouse(_ pen: Pen, _ connection: Drawn) {
        guard let path = connection.paths.first, let from = path.first, let to = path.last else { return }
        let length = max(Line.distance(from, to), 1e-9)
        let along = Coordinate(x: (to.x - from.x) / length, y: (to.y - from.y) / length)
        let corners = [(-1.0, -8.0), (13, -8), (13, 8), (-1, 8)].map { ahead, beside in
            Coordinate(x: to.x + along.x * ahead - along.y * beside, y: to.y + along.y * ahead + along.x * beside)
        }
        pen.fill([corners], Canvas.Color(0xD8CBB8))
        pen.stroke([corners + [corners[0]]], Canvas.Color(0xB09F86), width: 1)
        let abandoned = connection.kind == "Abandoned"
        pen.stroke(
            connection.paths, abandoned ? Canvas.Color(0x999999) : Canvas.Color(0x4C9ED9), width: 1.5,
            dashes: abandoned ? [2, 3] : [])
    }

    /// Names along the streets they fit into; each is drawn whole in every tile that its street reaches, so seams match.
    private func drawNames(_ pen: Pen, _ level: Int) {
        let size = level >= 17 ? 13.0 : 10.5
        for number in grids.streets.features(touching: pen.near) {
            let street = streets[number]
            guard number % (level >= 17 ? 1 : 2) == 0, street.path.count > 2 else { continue }
            let middle = street.path.count / 2
            let (a, b) = (pen.position(street.path[middle - 1]), pen.position(street.path[middle + 1]))
            // The middle half of the street is nearly straight; the name may take a little more of it.
            guard pen.canvas.textWidth(street.name, size: size) < Line.distance(a, b) * 1.6 else { continue }
            var angle = atan2(b.y - a.y, b.x - a.x)
            if angle > .pi / 2 + 0.01 { angle -= .pi }
            if angle < -.pi / 2 + 0.01 { angle += .pi }
            pen.canvas.text(
                street.name, at: pen.position(street.path[middle]), angle: angle, size: size, Canvas.Color(0x4A4238))
        }
    }
}

/// A canvas with a place on the map.
private struct Pen {
    let canvas: Canvas
    let box: Envelope
    /// Pixels a metre.
    let pixels: Double

    /// The tile with a rim, so that what is thick or has a halo reaches over the edge.
    var near: Envelope {
        let rim = 24 / pixels
        return Envelope(xmin: box.xmin - rim, ymin: box.ymin - rim, xmax: box.xmax + rim, ymax: box.ymax + rim)
    }

    func position(_ place: Coordinate) -> Coordinate {
        Coordinate(x: (place.x - box.xmin) * pixels, y: (box.ymax - place.y) * pixels)
    }

    func stroke(_ paths: [[Coordinate]], _ color: Canvas.Color, width: Double, dashes: [Double] = []) {
        if paths.isEmpty { return }
        canvas.stroke(paths.map { $0.map(position) }, color, width: width, dashes: dashes)
    }

    func fill(_ rings: [[Coordinate]], _ color: Canvas.Color) { canvas.fill(rings.map { $0.map(position) }, color) }
    func dot(_ center: Coordinate, radius: Double, _ color: Canvas.Color) {
        canvas.dot(position(center), radius: radius, color, outline: Canvas.Color(0xFFFFFF))
    }
    func square(_ center: Coordinate, half: Double, _ color: Canvas.Color) { canvas.square(position(center), half: half, color) }
}
