/// Why a geometry could not be made, as data.
public enum GeographyError: Error, Sendable, Hashable {
    /// Neither Esri's nor EPSG's list has the id, or the text is not well-known text.
    case unknownSpatialReference(SpatialReference)
    /// There is no way from one system to the other; PROJ's words.
    case transformFailed(String)
    /// The place, in the units of the system it came in, has no image in the other system.
    case outsideDomain(Coordinate)
    /// The shape would reach over 180° east or west. Refused: a half-right area is worse than none.
    case crossesAntimeridian
    /// The shape would reach over a pole.
    case touchesPole
    /// Wider than a local projection can hold within 1 %; the radius in metres.
    case tooLarge(radius: Double)
    /// Nothing is left: a negative buffer ate the shape, or no ring has an area.
    case empty
    /// A coordinate that is not a finite number.
    case notFinite
    /// GEOS refused; its words.
    case geometryFailed(String)
}
