import CGEOS

extension GEOSSession {
    func sequence(_ coordinates: [Coordinate]) -> OpaquePointer? {
        // `Coordinate` is two doubles, x then y: what GEOS calls an interleaved buffer.
        coordinates.withUnsafeBytes { bytes in
            GEOSCoordSeq_copyFromBuffer_r(
                handle, bytes.assumingMemoryBound(to: Double.self).baseAddress, UInt32(coordinates.count), 0, 0)
        }
    }

    func point(_ place: Coordinate) throws(GeographyError) -> GEOSShape {
        try adopt(GEOSGeom_createPointFromXY_r(handle, place.x, place.y))
    }

    func line(_ path: [Coordinate]) throws(GeographyError) -> GEOSShape {
        try adopt(GEOSGeom_createLineString_r(handle, sequence(path)))
    }

    func box(_ box: Envelope) throws(GeographyError) -> GEOSShape {
        try adopt(GEOSGeom_createRectangle_r(handle, box.xmin, box.ymin, box.xmax, box.ymax))
    }

    /// A multipolygon of the rings. Rings without an area are left out; it may be invalid where the rings are.
    func polygon(_ polygon: Polygon) throws(GeographyError) -> GEOSShape {
        guard polygon.rings.joined().allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { throw .notFinite }
        var parts: [OpaquePointer?] = []
        for part in polygon.parts {
            let shell = GEOSGeom_createLinearRing_r(handle, sequence(part.outer))
            var holes: [OpaquePointer?] = part.holes.map { GEOSGeom_createLinearRing_r(handle, sequence($0)) }
            // Takes over the rings. Parts have at least four vertices that are numbers, so GEOS has no reason to refuse.
            guard let made = GEOSGeom_createPolygon_r(handle, shell, &holes, UInt32(holes.count)) else {
                throw .geometryFailed("GEOSGeom_createPolygon")
            }
            parts.append(made)
        }
        return try adopt(
            GEOSGeom_createCollection_r(handle, Int32(GEOS_MULTIPOLYGON.rawValue), &parts, UInt32(parts.count)))
    }
}

/// Set operations; the results may hold lines and points beside polygons.
extension GEOSSession {
    func intersection(_ first: GEOSShape, _ second: GEOSShape) throws(GeographyError) -> GEOSShape {
        try adopt(GEOSIntersection_r(handle, first.pointer, second.pointer))
    }

    func difference(_ first: GEOSShape, _ second: GEOSShape) throws(GeographyError) -> GEOSShape {
        try adopt(GEOSDifference_r(handle, first.pointer, second.pointer))
    }

    /// No part of the second is outside of the first.
    func covers(_ first: GEOSShape, _ second: GEOSShape) throws(GeographyError) -> Bool {
        try answer(GEOSCovers_r(handle, first.pointer, second.pointer))
    }

    func collection(_ shapes: [GEOSShape]) throws(GeographyError) -> GEOSShape {
        // The collection takes over what it is made of.
        var copies: [OpaquePointer?] = shapes.map { GEOSGeom_clone_r(handle, $0.pointer) }
        return try adopt(
            GEOSGeom_createCollection_r(handle, Int32(GEOS_GEOMETRYCOLLECTION.rawValue), &copies, UInt32(copies.count)))
    }

    /// - Parameter grid: coordinates are rounded to it, so that edges that are one but for their last digits meet; nil for none.
    func union(_ shapes: [GEOSShape], grid: Double? = nil) throws(GeographyError) -> GEOSShape {
        let all = try collection(shapes)
        if let grid { return try adopt(GEOSUnaryUnionPrec_r(handle, all.pointer, grid)) }
        return try adopt(GEOSUnaryUnion_r(handle, all.pointer))
    }
}

extension GEOSShape {
    /// The polygons inside, in Esri's ring order; lines and points are left out.
    var polygon: Polygon {
        var rings: [[Coordinate]] = []
        appendRings(of: pointer, to: &rings)
        return Polygon(rings: rings)
    }

    private func appendRings(of geometry: OpaquePointer, to rings: inout [[Coordinate]]) {
        let handle = session.handle
        if GEOSisEmpty_r(handle, geometry) == 1 { return }
        guard GEOSGeomTypeId_r(handle, geometry) == Int32(GEOS_POLYGON.rawValue) else {
            let count = GEOSGetNumGeometries_r(handle, geometry)
            // A part of itself: a point or a line.
            if count == 1, GEOSGetGeometryN_r(handle, geometry, 0) == geometry { return }
            for index in 0..<max(0, count) {
                if let part = GEOSGetGeometryN_r(handle, geometry, index) { appendRings(of: part, to: &rings) }
            }
            return
        }
        if let outer = GEOSGetExteriorRing_r(handle, geometry) { rings.append(coordinates(of: outer).oriented(clockwise: true)) }
        for index in 0..<max(0, GEOSGetNumInteriorRings_r(handle, geometry)) {
            if let hole = GEOSGetInteriorRingN_r(handle, geometry, index) {
                rings.append(coordinates(of: hole).oriented(clockwise: false))
            }
        }
    }

    private func coordinates(of ring: OpaquePointer) -> [Coordinate] {
        let handle = session.handle
        var count: UInt32 = 0
        guard let sequence = GEOSGeom_getCoordSeq_r(handle, ring), GEOSCoordSeq_getSize_r(handle, sequence, &count) == 1 else {
            return []
        }
        var result = [Coordinate](repeating: Coordinate(x: 0, y: 0), count: Int(count))
        result.withUnsafeMutableBytes { bytes in
            _ = GEOSCoordSeq_copyToBuffer_r(handle, sequence, bytes.assumingMemoryBound(to: Double.self).baseAddress, 0, 0)
        }
        return result
    }
}
