import Basics
import CMicrohttpd
import Dispatch
import Glibc

/// A listening port served by libmicrohttpd: epoll, a pool of threads, keep-alive. The handler is called on those threads and must
/// not wait; a `Response.delay` parks the connection instead of a thread.
final class Daemon: Sendable {
    struct StartError: Error, Sendable { var message: String }

    typealias Handler = @Sendable (Request) -> Response
    /// Told when an answer is about to go out, so before the client can know of it: the answer and the bytes of its body.
    typealias Observer = @Sendable (Request, _ status: Int, _ bytes: Int) -> Void

    let port: Int
    private let context: Context
    // libmicrohttpd locks its daemon itself; the pointer is only given back to it, once, by `stop`.
    private nonisolated(unsafe) let daemon: OpaquePointer

    /// PEM texts.
    struct Identity: Sendable {
        var certificate: String
        var key: String
    }

    init(
        host: String, port: Int, threads: Int, listener: Request.Listener, bodyLimit: Int, identity: Identity? = nil,
        handler: @escaping Handler, observer: @escaping Observer
    ) throws(StartError) {
        context = Context(listener: listener, bodyLimit: bodyLimit, handler: handler, observer: observer)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        let numeric = host == "localhost" ? "127.0.0.1" : host
        guard inet_pton(AF_INET, numeric, &address.sin_addr) == 1 else {
            throw StartError(message: "\(host) is not an IPv4 address")
        }
        // The daemon lives in this object, so the context outlives every callback: `stop` ends the threads first.
        let pointer = Unmanaged.passUnretained(context).toOpaque()
        let certificate = identity.map { Array($0.certificate.utf8CString) }
        let key = identity.map { Array($0.key.utf8CString) }
        guard let started = ob_mhd_start(&address, UInt32(threads), 120, certificate, key, access, completed, pointer) else {
            let reason = identity == nil ? String(cString: strerror(errno)) : "the port is taken, or the certificate does not fit"
            throw StartError(message: "cannot listen on \(host):\(port): \(reason)")
        }
        daemon = started
        self.port = Int(ob_mhd_port(started))
    }

    /// Ends the threads; requests under way are cut.
    func stop() {
        context.close()
        MHD_stop_daemon(daemon)
    }
}

/// What the callbacks share.
private final class Context: Sendable {
    let listener: Request.Listener
    /// Bytes of the largest body that is taken.
    let bodyLimit: Int
    let handler: Daemon.Handler
    let observer: Daemon.Observer
    private let parked = ParkedConnections()

    init(
        listener: Request.Listener, bodyLimit: Int, handler: @escaping Daemon.Handler, observer: @escaping Daemon.Observer
    ) {
        self.listener = listener
        self.bodyLimit = bodyLimit
        self.handler = handler
        self.observer = observer
    }

    func park(_ connection: OpaquePointer, seconds: Double) { parked.park(connection, seconds: seconds) }
    func close() { parked.resumeAll() }
}

/// One request on its way: body bytes so far, then the answer. Only the thread that serves the connection touches it.
private final class Exchange {
    var body: [UInt8] = []
    var isTooLarge = false
    var request: Request?
    var response: Response?
}

private func access(
    closure: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?, method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?, uploadSize: UnsafeMutablePointer<Int>?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let closure, let connection, let url, let method, let uploadSize, let slot else { return ob_mhd_no }
    guard let pointer = slot.pointee else {
        slot.pointee = Unmanaged.passRetained(Exchange()).toOpaque()
        return ob_mhd_yes
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    let context = Unmanaged<Context>.fromOpaque(closure).takeUnretainedValue()
    if uploadSize.pointee > 0 {
        if exchange.isTooLarge || exchange.body.count + uploadSize.pointee > context.bodyLimit {
            exchange.isTooLarge = true
        } else if let upload {
            exchange.body.append(contentsOf: UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
        }
        uploadSize.pointee = 0
        return ob_mhd_yes
    }
    if exchange.response == nil {
        let request = readRequest(connection, url: url, method: method, body: exchange.body, listener: context.listener)
        let response =
            exchange.isTooLarge
            ? .html("<html><body>Request Entity Too Large</body></html>", status: 413) : context.handler(request)
        exchange.request = request
        exchange.response = response
        if response.delay > 0 {
            context.park(connection, seconds: response.delay)
            return ob_mhd_yes
        }
    }
    guard let request = exchange.request, let response = exchange.response else { return ob_mhd_no }
    let (result, status, size) = ResponseSender.queue(response, to: request, on: connection, park: context.park)
    context.observer(request, status, size)
    return result
}

private func completed(
    closure: UnsafeMutableRawPointer?, connection: OpaquePointer?, slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    reason: MHD_RequestTerminationCode
) {
    guard let slot, let pointer = slot.pointee else { return }
    Unmanaged<Exchange>.fromOpaque(pointer).release()
    slot.pointee = nil
}

private func readRequest(
    _ connection: OpaquePointer, url: UnsafePointer<CChar>, method: UnsafePointer<CChar>, body: [UInt8],
    listener: Request.Listener
) -> Request {
    let fields = FieldList()
    withExtendedLifetime(fields) {
        let pointer = Unmanaged.passUnretained(fields).toOpaque()
        _ = MHD_get_connection_values_n(connection, ob_mhd_headers, collectField, pointer)
        fields.headers = fields.items
        fields.items = []
        _ = MHD_get_connection_values_n(connection, ob_mhd_arguments, collectField, pointer)
    }
    var request = Request(
        method: String(cString: method), path: String(cString: url), parameters: Parameters(), headers: Headers(fields.headers),
        listener: listener)
    for item in fields.items {
        request.parameters.set(item.name, item.value)
        request.queryNames.insert(item.name.lowercased())
    }
    if !body.isEmpty { request.addForm(body) }
    return request
}

private final class FieldList {
    var headers: [(name: String, value: String)] = []
    var items: [(name: String, value: String)] = []
}

private func collectField(
    closure: UnsafeMutableRawPointer?, kind: MHD_ValueKind, key: UnsafePointer<CChar>?, keySize: Int,
    value: UnsafePointer<CChar>?, valueSize: Int
) -> MHD_Result {
    guard let closure, let key else { return ob_mhd_yes }
    let text = { (start: UnsafePointer<CChar>?, count: Int) in
        String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
    }
    Unmanaged<FieldList>.fromOpaque(closure).takeUnretainedValue().items.append((text(key, keySize), text(value, valueSize)))
    return ob_mhd_yes
}
