import Basics
import CLibcurl
import Synchronization

/// One request on its way: the curl handle, what its callbacks need, and who waits for the end.
///
/// Unchecked: after `CurlEngine.start` took it, everything but `wasCancelled` (an atomic) is touched by the engine's thread
/// only, until the engine resumes the waiting task, which then reads it alone.
final class CurlExchange: @unchecked Sendable {
    let request: HTTPRequest
    let sink: any BodySink
    let decodesContent: Bool
    let originKey: String
    private let address: WebAddress
    let wasCancelled = Atomic(false)

    var head = ResponseHead()
    var resume: ((TransportError?) -> Void)?
    private(set) var handle: UnsafeMutableRawPointer?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    private let clock = ContinuousClock()
    private var started: ContinuousClock.Instant?
    private var moved: ContinuousClock.Instant?
    private var movedBytes = 0

    init(_ request: HTTPRequest, address: WebAddress, sink: any BodySink, decodesContent: Bool) {
        self.request = request
        self.sink = sink
        self.decodesContent = decodesContent
        originKey = address.origin
        self.address = address
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        close()
        errorBuffer.deallocate()
    }

    /// Why `open` could not make it ready.
    private(set) var obstacle = "curl could not start the exchange."

    /// Makes the handle ready for the multi interface. Nil when curl has no memory, or cannot sign in as it was told to.
    func open(_ configuration: CurlConfiguration) -> UnsafeMutableRawPointer? {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        started = clock.now
        moved = started
        guard setConnection(handle, configuration) else { return nil }
        setRequest(handle)
        setCallbacks(handle)
        return handle
    }

    /// After the multi interface let go of the handle.
    func close() {
        if let handle { curl_easy_cleanup(handle) }
        handle = nil
        curl_slist_free_all(headerList)
        headerList = nil
    }

    private func setConnection(_ handle: UnsafeMutableRawPointer, _ configuration: CurlConfiguration) -> Bool {
        ob_curl_set_string(handle, CURLOPT_URL, request.url)
        ob_curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        ob_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        ob_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        ob_curl_set_long(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        ob_curl_set_long(handle, CURLOPT_TCP_NODELAY, 1)
        ob_curl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // On a kept connection that turns out dead curl silently sends again: never what may have had its effect.
        let webAuthentication = configuration.webAuthentication.flatMap { $0.origin == originKey ? $0 : nil }
        if let webAuthentication {
            guard setWebAuthentication(handle, webAuthentication.scheme) else { return false }
        } else if !request.isIdempotent {
            ob_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1)
        }
        // A cancelled exchange must not wait for the name server.
        ob_curl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
        ob_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, max(1, request.timeouts.connect.milliseconds))
        ob_curl_set_string(handle, CURLOPT_USERAGENT, configuration.userAgent)
        if let file = configuration.certificateAuthorities { ob_curl_set_string(handle, CURLOPT_CAINFO, file) }
        if let file = configuration.clientCertificate { ob_curl_set_string(handle, CURLOPT_SSLCERT, file) }
        if let file = configuration.clientKey { ob_curl_set_string(handle, CURLOPT_SSLKEY, file) }
        if let password = configuration.clientKeyPassword {
            ob_curl_set_string(handle, CURLOPT_KEYPASSWD, password.reveal())
        }
        setProxy(handle, configuration.proxyRules.proxy(for: address))
        // Decoded bodies have no offsets, so ranges and hashes of files need the bytes as they are.
        if decodesContent { ob_curl_set_string(handle, CURLOPT_ACCEPT_ENCODING, "") }
        return true
    }

    /// Empty names keep curl from reading the environment itself.
    private func setProxy(_ handle: UnsafeMutableRawPointer, _ proxy: CurlConfiguration.Proxy?) {
        ob_curl_set_string(handle, CURLOPT_PROXY, proxy?.url ?? "")
        ob_curl_set_string(handle, CURLOPT_NOPROXY, "")
        guard let user = proxy?.user else { return }
        ob_curl_set_long(handle, CURLOPT_PROXYAUTH, ob_curl_auth_any)
        ob_curl_set_string(handle, CURLOPT_PROXYUSERNAME, user.name)
        ob_curl_set_string(handle, CURLOPT_PROXYPASSWORD, user.password.reveal())
    }

    /// NTLM signs in a connection, not a request: its steps must share one, so a fresh one each time is out of the question, and
    /// so is HTTP/2. The first step carries no body.
    ///
    /// False when this libcurl was built without the scheme: it would send name and password in clear text (Basic) instead.
    private func setWebAuthentication(
        _ handle: UnsafeMutableRawPointer, _ scheme: CurlConfiguration.WebAuthentication.Scheme
    ) -> Bool {
        ob_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        switch scheme {
        case .negotiate:
            guard ob_curl_set_long(handle, CURLOPT_HTTPAUTH, ob_curl_auth_negotiate) == CURLE_OK else {
                obstacle = "This machine's libcurl cannot sign in by Negotiate."
                return false
            }
            // No name: the ticket says who we are.
            ob_curl_set_string(handle, CURLOPT_USERPWD, ":")
        case .ntlm(let name, let password):
            guard ob_curl_set_long(handle, CURLOPT_HTTPAUTH, ob_curl_auth_ntlm) == CURLE_OK else {
                obstacle = "This machine's libcurl cannot sign in by NTLM."
                return false
            }
            ob_curl_set_string(handle, CURLOPT_USERNAME, name)
            ob_curl_set_string(handle, CURLOPT_PASSWORD, password.reveal())
        }
        return true
    }

    private func setRequest(_ handle: UnsafeMutableRawPointer) {
        switch request.method {
        case .get: break
        case .head: ob_curl_set_long(handle, CURLOPT_NOBODY, 1)
        case .post:
            ob_curl_set_long(handle, CURLOPT_POST, 1)
            ob_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
            // curl copies the body; an empty one needs a pointer too, or curl would ask a read callback.
            (request.body + [0]).withUnsafeBytes { body in
                _ = body.withMemoryRebound(to: CChar.self) { ob_curl_set_string(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
            }
        }
        // Without this curl waits up to a second for a "100 Continue" that ArcGIS does not send.
        headerList = curl_slist_append(headerList, "Expect:")
        for header in request.headers {
            // `name;` is curl's way to send a header without a value. A line break would start a header of its own.
            let line = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
            headerList = curl_slist_append(headerList, String(line.filter { !$0.isNewline }))
        }
        ob_curl_set_list(handle, CURLOPT_HTTPHEADER, headerList)
    }

    private func setCallbacks(_ handle: UnsafeMutableRawPointer) {
        // Unretained: the engine holds the exchange until the handle is out of the multi interface.
        let context = Unmanaged.passUnretained(self).toOpaque()
        ob_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer)
        ob_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        ob_curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION) { data, size, count, context in
            guard let data, let context else { return 0 }
            let line = String(decoding: UnsafeRawBufferPointer(start: data, count: size * count), as: UTF8.self)
            let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
            exchange.head.add(line: line)
            // Any other number than the given one tells curl to stop.
            return exchange.head.isTooLarge ? 0 : size * count
        }
        ob_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        ob_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { data, size, count, context in
            guard let data, let context else { return 0 }
            let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
            return exchange.sink.receive(bytes, head: exchange.head) ? size * count : (size * count == 0 ? 1 : 0)
        }
    }
}

extension CurlExchange {
    /// The limit that has passed, if any, and how long until the next one could.
    func overdue(at now: ContinuousClock.Instant) -> (error: TransportError?, next: Duration?) {
        guard let handle, let started else { return (nil, nil) }
        let bytes = traffic(handle)
        // Before the first byte goes out the limit on connecting holds, which curl keeps.
        if bytes != movedBytes || bytes == 0 {
            movedBytes = bytes
            moved = now
        }
        let still = request.timeouts.inactivity - ((moved ?? started).duration(to: now))
        let left = total.map { $0 - started.duration(to: now) }
        if let total, let left, left <= .zero {
            return (error(.timeout, "The exchange took over \(total.seconds) s."), nil)
        }
        if still <= .zero { return (error(.inactivity, "No byte for \(request.timeouts.inactivity.seconds) s."), nil) }
        return (nil, left.map { min($0, still) } ?? still)
    }

    /// What comes into memory has an end even where nobody set one: a byte now and then is not silence. Files take as long as they take.
    private var total: Duration? { request.timeouts.total ?? (decodesContent ? request.timeouts.inactivity * 10 : nil) }

    private func traffic(_ handle: UnsafeMutableRawPointer) -> Int {
        var (down, up): (curl_off_t, curl_off_t) = (0, 0)
        var (head, request) = (0, 0)
        ob_curl_get_offset(handle, CURLINFO_SIZE_DOWNLOAD_T, &down)
        ob_curl_get_offset(handle, CURLINFO_SIZE_UPLOAD_T, &up)
        ob_curl_get_long(handle, CURLINFO_HEADER_SIZE, &head)
        ob_curl_get_long(handle, CURLINFO_REQUEST_SIZE, &request)
        return Int(down) + Int(up) + head + request
    }

    /// How curl's end of the exchange reads for us.
    func error(_ code: CURLcode) -> TransportError? {
        if let failure = sink.failure { return error(failure.kind, failure.message, failure.systemCode) }
        if head.isTooLarge { return error(.tooLarge, "The head of the answer is over the limit of \(ResponseHead.limit) bytes.") }
        if code == CURLE_OK {
            return head.status == 407 ? error(.proxySignIn, "The proxy does not let us through without a sign-in (407).") : nil
        }
        let words = String(cString: errorBuffer)
        return error(tunnelFailure ?? CurlFailure.kind(code), words.isEmpty ? String(cString: curl_easy_strerror(code)) : words)
    }

    /// What the proxy answered when asked for a tunnel to an https address; nil when it made one, or was not asked.
    private var tunnelFailure: TransportError.Kind? {
        guard let handle else { return nil }
        var status = 0
        ob_curl_get_long(handle, CURLINFO_HTTP_CONNECTCODE, &status)
        return status == 407 ? .proxySignIn : status == 0 || (200..<300).contains(status) ? nil : .proxy
    }

    func error(_ kind: TransportError.Kind, _ message: String, _ systemCode: Int32? = nil) -> TransportError {
        TransportError(kind: kind, message: message, url: Redaction.address(request.url), systemCode: systemCode)
    }
}
