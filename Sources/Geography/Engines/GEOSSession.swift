import CGEOS

/// One GEOS context. A GEOS context must not be used by two threads at once, so each call makes its own: it costs microseconds.
/// Not `Sendable` on purpose.
final class GEOSSession {
    let handle: OpaquePointer
    private var lastMessage = ""

    init() {
        handle = GEOS_init_r()
        let remember: GEOSMessageHandler_r = { text, session in
            guard let text, let session else { return }
            Unmanaged<GEOSSession>.fromOpaque(session).takeUnretainedValue().lastMessage = String(cString: text)
        }
        // Unretained: the handle, and with it the handler, ends in `deinit`.
        GEOSContext_setErrorMessageHandler_r(handle, remember, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { GEOS_finish_r(handle) }

    /// Takes over what GEOS made; nil is its sign of failure.
    func adopt(_ pointer: OpaquePointer?) throws(GeographyError) -> GEOSShape {
        guard let pointer else { throw .geometryFailed(lastMessage) }
        return GEOSShape(pointer: pointer, session: self)
    }

    /// GEOS predicates answer 0, 1, or 2 for an exception.
    func answer(_ result: CChar) throws(GeographyError) -> Bool {
        if result == 2 { throw .geometryFailed(lastMessage) }
        return result == 1
    }
}

/// A geometry owned by us, destroyed with its last reference.
final class GEOSShape {
    let pointer: OpaquePointer
    let session: GEOSSession

    init(pointer: OpaquePointer, session: GEOSSession) {
        self.pointer = pointer
        self.session = session
    }

    deinit { GEOSGeom_destroy_r(session.handle, pointer) }

    var isEmpty: Bool { GEOSisEmpty_r(session.handle, pointer) == 1 }
}
