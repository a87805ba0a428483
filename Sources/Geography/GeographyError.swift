/// Why a geometry could not be made, as data.
public enum GeographyError: Error, Sendable, Hashable {
    /// Neither Esri's nor EPSG's list has the id, or the text is not well-known text.
    case unknownSpatialReference(SpatialReference)
    /// There is no way from one system to the other; PROJ's words.
    case transformFailed(String)
    /// The place, in the units of the system it came in, has no image in the other system.
    case outsideDomain(Coordinate)
    /// A box that cannot be one, or an image that is torn, because it reaches over the edge of a projection.
    case crossesAntimeridian
    /// All of it is nearer to a pole than 85.0511°, where Web Mercator ends.
    case beyondWebMercator
    /// A buffer wider than a local projection can hold within 1 %; in metres.
    case tooLarge(radius: Double)
    /// A place or a line has no area: it needs a buffer.
    case needsBuffer
    /// Nothing is left: a negative buffer ate the shape, or no ring has an area.
    case empty
    /// A coordinate that is not a finite number.
    case notFinite
    /// GEOS refused; its words.
    case geometryFailed(String)
}
