import Geography

extension VectorTiles {
    /// A PNG of 200 px: districts, water and the large streets around the box.
    func thumbnail(of box: Envelope) -> [UInt8] {
        let size = 200.0
        let half = max(box.width, box.height, 100) / 2
        let square = Envelope(
            xmin: box.center.x - half, ymin: box.center.y - half, xmax: box.center.x + half, ymax: box.center.y + half)
        guard let canvas = Canvas(width: Int(size), height: Int(size), background: TownPicture.land) else { return [] }
        func pixels(_ path: [Coordinate]) -> [Coordinate] {
            path.map { Coordinate(x: ($0.x - square.xmin) / square.width * size, y: (square.ymax - $0.y) / square.height * size) }
        }
        let looks: [(layer: String, color: UInt32)] = [
            ("districts", 0xEBE6DA), ("parks", 0xCDE6B8), ("water", 0xA8CCE4), ("streets", 0xE3B155),
        ]
        for look in looks {
            guard let layer = layers.first(where: { $0.name == look.layer }) else { continue }
            for feature in layer.features(touching: square) where feature.minLevel <= 10 {
                switch feature.shape {
                case .polygon(let polygon): canvas.fill(polygon.rings.map(pixels), Canvas.Color(look.color))
                case .polyline(let paths): canvas.stroke(paths.map(pixels), Canvas.Color(look.color), width: 1.5)
                case .point: break
                }
            }
        }
        return canvas.png()
    }
}
