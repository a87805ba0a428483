import Geography

/// What a file or a list of coordinates draws.
enum AreaGeometry {
    case polygon(Polygon)
    /// Places are paths of one vertex.
    case places([[Coordinate]])
    case lines([[Coordinate]])

    enum Kind: String {
        case polygon, point, line

        /// "a polygon is not a point": what the manifest asked for and what is there.
        func refusal(of other: Kind) -> AreaProblem {
            let hint = other == .polygon ? "write `polygon` instead of `\(rawValue)`" : "write `\(other.rawValue)` and a `buffer`"
            return AreaProblem("a \(other.rawValue) is not a \(rawValue)", hint: hint)
        }
    }

    var kind: Kind {
        switch self {
        case .polygon: .polygon
        case .places: .point
        case .lines: .line
        }
    }

    var coordinates: [Coordinate] {
        switch self {
        case .polygon(let polygon): polygon.rings.flatMap { $0 }
        case .places(let paths), .lines(let paths): paths.flatMap { $0 }
        }
    }

    func place(in reference: SpatialReference) -> AreaSource.Place {
        switch self {
        case .polygon(let polygon): .shape(.polygon(polygon), reference)
        case .places(let paths), .lines(let paths): .paths(paths, reference)
        }
    }
}
