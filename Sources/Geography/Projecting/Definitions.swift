extension SpatialReference {
    /// The system that a text defines: an authority's code (`EPSG:31467`, `ESRI:102100`, also as a URN), well-known text, or PROJ's
    /// own form (`+proj=…`). Heights are left out. With an id where EPSG or Esri has one. Takes milliseconds.
    /// - Throws: `.unknownSpatialReference` with the text as `wkt`.
    public init(definition text: String) throws(GeographyError) {
        self = try ProjectionPool.withContext { (context) throws(GeographyError) in try context.reference(definedBy: text) }
    }

    /// Takes milliseconds, but for WGS 84 and Web Mercator.
    /// - Throws: `.unknownSpatialReference` when PROJ has no system of these ids or this text.
    public func requireKnown() throws(GeographyError) { _ = try Projection.isGeographic(self) }
}
