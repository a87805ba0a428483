import CMicrohttpd
import Dispatch
import Synchronization

/// Connections whose answer is held back. A suspended connection must be resumed before its daemon is stopped, so the set is kept.
final class ParkedConnections: Sendable {
    private struct State {
        var next = 0
        var waiting: [Int: Connection] = [:]
        var isClosed = false
    }

    /// libmicrohttpd allows `MHD_resume_connection` from any thread; the pointer is used for nothing else and only while the
    /// connection is suspended, during which libmicrohttpd keeps it alive.
    private struct Connection: @unchecked Sendable { var pointer: OpaquePointer }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "demo-portal.delays")

    func park(_ connection: OpaquePointer, seconds: Double) {
        let entry = Connection(pointer: connection)
        MHD_suspend_connection(connection)
        let number: Int? = state.withLock { state in
            if state.isClosed { return nil }
            state.next += 1
            state.waiting[state.next] = entry
            return state.next
        }
        guard let number else { return MHD_resume_connection(connection) }
        queue.asyncAfter(deadline: .now() + seconds) { [self] in
            if let parked = state.withLock({ $0.waiting.removeValue(forKey: number) }) { MHD_resume_connection(parked.pointer) }
        }
    }

    func resumeAll() {
        let parked = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values.map { $0 }
        }
        for connection in parked { MHD_resume_connection(connection.pointer) }
    }
}
