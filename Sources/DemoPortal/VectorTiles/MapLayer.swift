import Geography

/// One layer of the vector tiles, with the levels at which its features show.
struct MapLayer: Sendable {
    struct Feature: Sendable {
        var id: Int
        var minLevel: Int
        var properties: [(key: String, value: TileLayerEncoder.Value)]
        var shape: Shape
    }

    let name: String
    let levels: ClosedRange<Int>
    let features: [Feature]
    private let grid: FeatureGrid

    init(_ name: String, levels: ClosedRange<Int>, _ features: [Feature], extent: Envelope) {
        self.name = name
        self.levels = levels
        self.features = features
        grid = FeatureGrid(boxes: features.map(\.shape.envelope), extent: extent)
    }

    /// The layer's part of one tile; nil when nothing shows there.
    func encode(_ box: Envelope, level: Int) -> TileLayerEncoder? {
        guard levels.contains(level) else { return nil }
        var encoder = TileLayerEncoder(name: name)
        for feature in shown(box, level: level) {
            if let geometry = TileGeometry(feature.shape, in: box) { encoder.add(id: feature.id, feature.properties, geometry) }
        }
        return encoder.isEmpty ? nil : encoder
    }

    func shows(in box: Envelope, level: Int) -> Bool {
        levels.contains(level) && shown(box, level: level).contains { TileGeometry($0.shape, in: box) != nil }
    }

    /// Features whose boxes touch, whatever the level.
    func features(touching box: Envelope) -> [Feature] { grid.features(touching: box).map { features[$0] } }

    private func shown(_ box: Envelope, level: Int) -> some Sequence<Feature> {
        let rim = box.width * TileGeometry.buffer / TileGeometry.extent
        let wide = Envelope(xmin: box.xmin - rim, ymin: box.ymin - rim, xmax: box.xmax + rim, ymax: box.ymax + rim)
        return grid.features(touching: wide).lazy.map { features[$0] }.filter { $0.minLevel <= level }
    }
}

extension MapLayer {
    /// All layers, drawn from the ground up. `places` shows wherever the town is too small for anything else.
    static func all(_ dataset: TownDataset) -> [MapLayer] {
        let last = VectorTiles.levels.upperBound
        let extent = dataset.extent
        func layer(_ name: String, from level: Int, _ features: [Feature]) -> MapLayer {
            MapLayer(name, levels: level...last, features, extent: extent)
        }
        let localLevel = 11 + dataset.plan.detailShift
        let mainLevel = 13 + dataset.plan.detailShift / 2
        let river = Line.beside(dataset.plan.river, metres: -dataset.plan.riverWidth / 2)
        let bank = Array(Line.beside(dataset.plan.river, metres: dataset.plan.riverWidth / 2).reversed())
        // The river runs north: left bank up, right bank down is clockwise.
        let water = [Polygon(rings: [river + bank + [river[0]]])] + dataset.lakes
        return [
            MapLayer(
                "places", levels: 0...12,
                [Feature(id: 1, minLevel: 0, properties: [("name", .text("Naperville"))], shape: .point(dataset.plan.center))],
                extent: extent),
            layer("districts", from: 0, features(of: dataset.water[4], minLevel: 0, ["NAME", "ZONE", "POPULATION"])),
            layer(
                "parks", from: 10,
                dataset.parks.enumerated().map { Feature(id: $0 + 1, minLevel: 10, properties: [], shape: .polygon($1)) }),
            layer(
                "water", from: 5,
                water.enumerated().map {
                    Feature(
                        id: $0 + 1, minLevel: 5, properties: [("kind", .text($0 == 0 ? "river" : "lake"))], shape: .polygon($1))
                }),
            layer(
                "streets", from: 8,
                dataset.streets.map { street in
                    Feature(
                        id: street.id, minLevel: street.isArterial ? 8 : localLevel,
                        properties: [("name", .text(street.name)), ("class", .text(street.isArterial ? "arterial" : "local"))],
                        shape: .polyline([street.path]))
                }),
            layer("mains", from: mainLevel, features(of: dataset.water[3], minLevel: mainLevel, ["MATERIAL", "DIAMETER"])),
            layer("hydrants", from: mainLevel + 1, features(of: dataset.water[0], minLevel: mainLevel + 1, ["FLOW", "STATUS"])),
        ]
    }

    private static func features(of table: FeatureTable, minLevel: Int, _ fields: [String]) -> [Feature] {
        let columns = fields.compactMap { name in
            table.fields.firstIndex { $0.name == name }.map { (key: name.lowercased(), index: $0 - 2) }
        }
        return table.rows.compactMap { row in
            guard let shape = row.shape else { return nil }
            let properties = columns.compactMap { column -> (key: String, value: TileLayerEncoder.Value)? in
                switch row.values[column.index] {
                case .text(let text): (column.key, .text(text))
                case .integer(let number): (column.key, .integer(Int(number)))
                case .double(let number): (column.key, .double(number))
                case .null, .date: nil
                }
            }
            return Feature(id: row.objectID, minLevel: minLevel, properties: properties, shape: shape)
        }
    }
}
