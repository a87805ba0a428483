import CPROJ
import Synchronization

/// A PROJ context with the transformations that it made. PROJ allows one thread at a time in a context; a borrower of
/// `ProjectionPool` has it alone, and no other reference exists meanwhile. That makes the move between threads safe.
final class ProjectionContext: @unchecked Sendable {
    struct Route: Hashable {
        var source: CoordinateSystem
        var target: CoordinateSystem
    }

    private let handle: OpaquePointer
    /// PROJ tells some reasons to its log only; the last one is kept.
    private let log = ProjectionLog()
    private var transformations: [Route: Transformation] = [:]

    init() {
        handle = proj_context_create()
        // No grids from the network: the same input gives the same bytes on every machine, offline too.
        proj_context_set_enable_network(handle, 0)
        proj_log_level(handle, PJ_LOG_ERROR)
        // The log lives as long as the context that calls it: `deinit` ends that first.
        proj_log_func(handle, Unmanaged.passUnretained(log).toOpaque()) { log, _, text in
            guard let log, let text else { return }
            Unmanaged<ProjectionLog>.fromOpaque(log).takeUnretainedValue().last = String(cString: text)
        }
    }

    deinit {
        // Transformations belong to the context and end before it.
        transformations.removeAll()
        proj_context_destroy(handle)
    }

    func transformation(_ route: Route) throws(GeographyError) -> Transformation {
        if let known = transformations[route] { return known }
        // Local systems are made for one buffer each; without a bound they would pile up.
        if transformations.count >= 64 { transformations.removeAll() }
        let source = try system(route.source)
        defer { proj_destroy(source) }
        let target = try system(route.target)
        defer { proj_destroy(target) }
        log.last = ""
        guard let raw = proj_create_crs_to_crs_from_pj(handle, source, target, nil, nil) else {
            throw .transformFailed(lastError)
        }
        // Axes as x = east, y = north, whatever the authority says.
        guard let normalized = proj_normalize_for_visualization(handle, raw) else {
            proj_destroy(raw)
            throw .transformFailed(lastError)
        }
        proj_destroy(raw)
        let transformation = Transformation(
            pointer: normalized, context: handle, sourceTurn: fullTurn(source), targetTurn: fullTurn(target))
        transformations[route] = transformation
        return transformation
    }

    /// 360 for degrees, 400 for grads; nil for systems that do not count in longitude.
    func fullTurn(_ system: CoordinateSystem) throws(GeographyError) -> Double? {
        let pointer = try self.system(system)
        defer { proj_destroy(pointer) }
        return fullTurn(pointer)
    }

    private func fullTurn(_ system: OpaquePointer) -> Double? {
        let type = proj_get_type(system)
        if type == PJ_TYPE_BOUND_CRS, let bare = proj_get_source_crs(handle, system) {
            defer { proj_destroy(bare) }
            return fullTurn(bare)
        }
        guard type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS,
            let axes = proj_crs_get_coordinate_system(handle, system)
        else { return nil }
        defer { proj_destroy(axes) }
        var radians = 0.0
        guard proj_cs_get_axis_info(handle, axes, 0, nil, nil, nil, &radians, nil, nil, nil) == 1, radians > 0 else { return nil }
        return (2 * .pi / radians * 1e9).rounded() / 1e9
    }

    /// Esri's id, EPSG's id or well-known text of what a text defines: an authority's code, well-known text, or PROJ's own form.
    func reference(definedBy text: String) throws(GeographyError) -> SpatialReference {
        let pointer = try system(.reference(SpatialReference(wkt: text)))
        defer { proj_destroy(pointer) }
        if let authority = proj_get_id_auth_name(pointer, 0), let code = proj_get_id_code(pointer, 0),
            ["EPSG", "ESRI"].contains(String(cString: authority)), let id = Int(String(cString: code))
        {
            return SpatialReference(wkid: id)
        }
        // Esri's dialect of well-known text is what services read; PROJ has no words of it for some systems.
        guard let wkt = proj_as_wkt(handle, pointer, PJ_WKT1_ESRI, nil) else { return SpatialReference(wkt: text) }
        return SpatialReference(wkt: String(cString: wkt))
    }

    private func system(_ system: CoordinateSystem) throws(GeographyError) -> OpaquePointer {
        for definition in system.definitions {
            guard let pointer = proj_create(handle, definition) else { continue }
            // Of a compound of places and heights the places.
            if proj_get_type(pointer) == PJ_TYPE_COMPOUND_CRS, let flat = proj_crs_get_sub_crs(handle, pointer, 0) {
                proj_destroy(pointer)
                return flat
            }
            if proj_is_crs(pointer) == 1 { return pointer }
            proj_destroy(pointer)
        }
        throw .unknownSpatialReference(system.spatialReference)
    }

    private var lastError: String {
        // "proj_create_operations: Source and target …": the function's name says nothing to people.
        let words = log.last.split(separator: ": ", maxSplits: 1)
        if let reason = words.last, words.first?.hasPrefix("proj_") == true { return String(reason) }
        return String(cString: proj_context_errno_string(handle, proj_context_errno(handle)))
    }
}

/// Written by PROJ's callback inside calls into the one context that owns it.
private final class ProjectionLog {
    var last = ""
}

/// Contexts cost milliseconds (the database is opened), so they are kept and lent.
enum ProjectionPool {
    private static let idle = Mutex<[ProjectionContext]>([])
    private static let maximumIdle = 8

    /// Lends a context that nobody else uses until `body` returns. Blocks for milliseconds, on a pair's first use.
    static func withContext<Value>(
        _ body: (ProjectionContext) throws(GeographyError) -> Value
    ) throws(GeographyError) -> Value {
        let context = idle.withLock { $0.popLast() } ?? ProjectionContext()
        defer { idle.withLock { if $0.count < maximumIdle { $0.append(context) } } }
        return try body(context)
    }
}
