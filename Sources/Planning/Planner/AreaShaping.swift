import Geography
import Manifest

/// From what the manifest draws to the shape that is planned with: inside the world, valid, with its buffer, simplified if that
/// is allowed. Blocks by the number of vertices.
struct AreaShaping {
    var shape: AreaShape
    var remarks: [AreaRemark] = []

    /// Longitudes may run over the antimeridian.
    init(_ drawn: AreaShape, in reference: SpatialReference, _ source: AreaSource) throws(GeographyError) {
        let fit = try drawn.fitted(in: reference)
        let (valid, isRepaired) = try fit.shape.repaired()
        if isRepaired { remarks.append(.repaired) }
        if fit.isClamped { remarks.append(.clamped) }
        shape = try valid.buffered(metres: source.buffer, in: reference)
        try finish(reference, source)
    }

    /// Lines, and places as paths of one vertex.
    init(around paths: [[Coordinate]], in reference: SpatialReference, _ source: AreaSource) throws(GeographyError) {
        shape = try AreaShape(around: paths, metres: source.buffer, in: reference)
        try finish(reference, source)
    }

    private mutating func finish(_ reference: SpatialReference, _ source: AreaSource) throws(GeographyError) {
        if let metres = source.simplify { try simplify(metres, reference) }
        let degrees = try Projection.project(shape, from: reference, to: .wgs84)
        if try degrees.isSplit(in: .wgs84) { remarks.append(.split) }
        if let box = degrees.envelope, max(box.ymax, -box.ymin) > WorldFrame.webMercatorLatitude + 1e-6 {
            remarks.append(.beyondWebMercator)
        }
    }

    private mutating func simplify(_ metres: Double, _ reference: SpatialReference) throws(GeographyError) {
        guard case .polygon(let polygon) = shape else { return }
        let simple = try polygon.simplifiedOutward(metres: metres, in: reference)
        guard simple.vertexCount < polygon.vertexCount else { return }
        let growth = simple.area / polygon.area - 1
        remarks.append(.simplified(from: polygon.vertexCount, to: simple.vertexCount, growth: growth))
        shape = .polygon(simple)
    }
}

extension AreaShape {
    /// Servers refuse crossing rings, or cut with them as they like, so they are put right here. Only a shape that changes by it
    /// is called repaired: a ring that touches itself is fine for Esri, and encloses the same afterwards.
    fileprivate func repaired() throws(GeographyError) -> (shape: AreaShape, isRepaired: Bool) {
        guard case .polygon(let polygon) = self, !polygon.isValid else { return (self, false) }
        let valid = try polygon.makeValid()
        let enclosed = polygon.rings.reduce(0) { $0 - $1.signedArea }
        return (.polygon(valid), abs(valid.area - enclosed) > valid.area * 1e-6)
    }
}
