import CPROJ

/// One way from a coordinate system to another; lives and is used inside its `ProjectionContext` only.
final class Transformation {
    private let pointer: OpaquePointer
    private let context: OpaquePointer
    /// A full turn in the units of the longitude; nil for systems that do not count in longitude.
    let sourceTurn: Double?
    let targetTurn: Double?

    init(pointer: OpaquePointer, context: OpaquePointer, sourceTurn: Double?, targetTurn: Double?) {
        self.pointer = pointer
        self.context = context
        self.sourceTurn = sourceTurn
        self.targetTurn = targetTurn
    }

    deinit { proj_destroy(pointer) }

    func apply(_ places: [Coordinate]) throws(GeographyError) -> [Coordinate] {
        if places.isEmpty { return [] }
        guard places.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { throw .notFinite }
        var moved = places
        let stride = MemoryLayout<Coordinate>.stride
        proj_errno_reset(pointer)
        moved.withUnsafeMutableBytes { bytes in
            // `Coordinate` is two doubles, x then y.
            let first = bytes.assumingMemoryBound(to: Double.self).baseAddress
            proj_trans_generic(
                pointer, PJ_FWD, first, stride, places.count, first?.advanced(by: 1), stride, places.count, nil, 0, 0, nil, 0, 0)
        }
        // PROJ's mark for a place without an image is infinity.
        guard let lost = moved.firstIndex(where: { !$0.x.isFinite || !$0.y.isFinite }) else {
            return onTheSameSide(moved, as: places)
        }
        let code = proj_errno(pointer)
        if code == 0 || (code & PROJ_ERR_COORD_TRANSFM) != 0 { throw .outsideDomain(places[lost]) }
        throw .transformFailed(String(cString: proj_context_errno_string(context, code)))
    }

    /// Between two datums a place at 180° may become one at -179.9999°, which would tear its shape apart.
    private func onTheSameSide(_ images: [Coordinate], as places: [Coordinate]) -> [Coordinate] {
        guard let turn = targetTurn, turn == sourceTurn else { return images }
        return zip(images, places).map { image, place in
            Coordinate(x: image.x + ((place.x - image.x) / turn).rounded() * turn, y: image.y)
        }
    }

    /// PROJ's own box: knows of poles and the antimeridian, but samples edges coarsely.
    func bounds(_ box: Envelope) throws(GeographyError) -> Envelope {
        var result = Envelope(xmin: 0, ymin: 0, xmax: 0, ymax: 0)
        let done = proj_trans_bounds(
            context, pointer, PJ_FWD, box.xmin, box.ymin, box.xmax, box.ymax, &result.xmin, &result.ymin, &result.xmax,
            &result.ymax, 21)
        guard done == 1, result.xmin.isFinite, result.ymin.isFinite, result.xmax.isFinite, result.ymax.isFinite else {
            throw .outsideDomain(box.center)
        }
        if result.xmin > result.xmax { throw .crossesAntimeridian }
        return result
    }
}
