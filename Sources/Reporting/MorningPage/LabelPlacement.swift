import Geography

/// Names on a crowded map: each gets the first free place around its shape, the most important first; a name without a free place
/// is left out, for two on top of each other tell less than one.
struct LabelPlacement {
    struct Label: Equatable {
        var text: String
        /// The middle of the text's baseline.
        var x: Double
        var y: Double
    }

    static let fontSize = 14.0

    private let frame: Envelope
    private var taken: [Envelope] = []
    private let shapes: [Envelope]

    /// - Parameter shapes: boxes of all areas, which names avoid as far as they can.
    init(width: Double, height: Double, shapes: [Envelope]) {
        frame = Envelope(xmin: 2, ymin: 2, xmax: width - 2, ymax: height - 2)
        self.shapes = shapes
    }

    /// Keeps a place free of names.
    mutating func reserve(_ box: Envelope) { taken.append(box) }

    /// - Parameter shape: the box of what the name belongs to, in pixels.
    mutating func place(_ text: String, at shape: Envelope) -> Label? {
        let (width, height) = (Double(DisplayWidth.columns(of: text)) * Self.fontSize * 0.68, Self.fontSize * 1.2)
        func box(x: Double, y: Double) -> Envelope {
            Envelope(xmin: x - width / 2, ymin: y - height / 2, xmax: x + width / 2, ymax: y + height / 2)
        }
        let middle = shape.center
        let fits = shape.width > width && shape.height > height
        let around = [
            box(x: shape.xmax + width / 2 + 4, y: middle.y), box(x: shape.xmin - width / 2 - 4, y: middle.y),
            box(x: middle.x, y: shape.ymin - height / 2 - 2), box(x: middle.x, y: shape.ymax + height / 2 + 2),
        ]
        let free = ((fits ? [box(x: middle.x, y: middle.y)] : []) + around).filter { candidate in
            frame.union(candidate) == frame && !taken.contains { $0.intersects(candidate) }
        }
        let others = free.map { candidate in shapes.count { $0 != shape && $0.intersects(candidate) } }
        guard let fewest = others.min(), let best = others.firstIndex(of: fewest) else { return nil }
        taken.append(free[best])
        let center = free[best].center
        return Label(text: text, x: center.x, y: center.y + Self.fontSize * 0.35)
    }
}
