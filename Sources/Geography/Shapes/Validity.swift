import CGEOS

extension Polygon {
    /// No ring crosses itself or another, and every hole lies in its outer ring.
    public var isValid: Bool {
        let session = GEOSSession()
        guard !parts.isEmpty, let shape = try? session.polygon(self) else { return false }
        return GEOSisValid_r(session.handle, shape.pointer) == 1
    }

    /// The area that the rings enclose, without crossings, in Esri's ring order: bow-ties become two parts, overlaps are united,
    /// slivers without area go. Takes time with the number of vertices: call it through `offPool` for large shapes.
    public func makeValid() throws(GeographyError) -> Polygon {
        let session = GEOSSession()
        let shape = try session.polygon(self)
        let parameters = GEOSMakeValidParams_create_r(session.handle)
        defer { GEOSMakeValidParams_destroy_r(session.handle, parameters) }
        GEOSMakeValidParams_setMethod_r(session.handle, parameters, GEOS_MAKE_VALID_STRUCTURE)
        GEOSMakeValidParams_setKeepCollapsed_r(session.handle, parameters, 0)
        let valid = try session.adopt(GEOSMakeValidWithParams_r(session.handle, shape.pointer, parameters))
        let polygon = valid.polygon
        if polygon.rings.isEmpty { throw .empty }
        return polygon
    }
}
