import CGEOS
import Synchronization

/// An area that is asked many questions, such as the filter of a query: GEOS indexes its edges once.
///
/// Safe from any thread: GEOS builds the index on first use and its context belongs to one thread at a time, so every
/// question holds the area's lock. Make one for each request rather than sharing one between busy threads.
/// Touching counts as intersecting, as it does for ArcGIS' `esriSpatialRelIntersects`.
public final class PreparedArea: Sendable {
    private let shape: AreaShape
    public let envelope: Envelope
    private let prepared: Mutex<Prepared>

    /// - Throws: `.empty` for a polygon without area, `.notFinite`.
    public init(_ shape: AreaShape) throws(GeographyError) {
        guard let envelope = shape.envelope else { throw .empty }
        self.shape = shape
        self.envelope = envelope
        prepared = Mutex(try Prepared(shape))
    }

    public func intersects(_ place: Coordinate) -> Bool {
        guard envelope.contains(place) else { return false }
        if case .envelope = shape { return true }
        return ask { try $0.point(place) }
    }

    public func intersects(_ box: Envelope) -> Bool {
        guard envelope.intersects(box) else { return false }
        if case .envelope = shape { return true }
        return ask { try $0.cornersOrBox(box) }
    }

    /// No part of the box is outside.
    public func contains(_ box: Envelope) -> Bool {
        guard envelope.contains(Coordinate(x: box.xmin, y: box.ymin)), envelope.contains(Coordinate(x: box.xmax, y: box.ymax))
        else {
            return false
        }
        if case .envelope = shape { return true }
        return prepared.withLock { $0.covers(box) }
    }

    /// The paths of one line; paths of a single vertex count as points.
    public func intersects(paths: [[Coordinate]]) -> Bool {
        paths.contains { path in
            guard let box = Envelope(around: path), envelope.intersects(box) else { return false }
            if path.count == 1 { return intersects(path[0]) }
            return ask { try $0.line(path) }
        }
    }

    public func intersects(_ polygon: Polygon) -> Bool {
        guard let box = polygon.envelope, envelope.intersects(box) else { return false }
        return ask { try $0.polygon(polygon) }
    }

    /// A geometry that GEOS cannot make (a coordinate that is no number) meets nothing.
    private func ask(_ other: (GEOSSession) throws -> GEOSShape) -> Bool {
        prepared.withLock { $0.intersects(other) }
    }
}

/// The GEOS side. Only reached under the lock of its `PreparedArea`, and nothing of it leaves: that makes the move to another
/// thread safe.
private final class Prepared: @unchecked Sendable {
    private let area: GEOSShape
    private let pointer: OpaquePointer

    init(_ shape: AreaShape) throws(GeographyError) {
        let session = GEOSSession()
        // Invalid input would make GEOS give wrong answers or none.
        let polygon = shape.polygon
        area = try session.polygon(polygon.isValid ? polygon : polygon.makeValid())
        guard let pointer = GEOSPrepare_r(session.handle, area.pointer) else { throw .empty }
        self.pointer = pointer
    }

    deinit { GEOSPreparedGeom_destroy_r(area.session.handle, pointer) }

    func intersects(_ make: (GEOSSession) throws -> GEOSShape) -> Bool {
        guard let other = try? make(area.session) else { return false }
        return GEOSPreparedIntersects_r(area.session.handle, pointer, other.pointer) == 1
    }

    func covers(_ box: Envelope) -> Bool {
        guard let other = try? area.session.cornersOrBox(box) else { return false }
        return GEOSPreparedCovers_r(area.session.handle, pointer, other.pointer) == 1
    }
}

extension GEOSSession {
    /// A box without width or height is a line or a point to GEOS, not a polygon.
    fileprivate func cornersOrBox(_ box: Envelope) throws(GeographyError) -> GEOSShape {
        if box.width > 0 && box.height > 0 { return try self.box(box) }
        let (start, end) = (Coordinate(x: box.xmin, y: box.ymin), Coordinate(x: box.xmax, y: box.ymax))
        return start == end ? try point(start) : try line([start, end])
    }
}
