import Basics

/// The bottom of the transport stack: libcurl on a thread of its own. Keeps connections, follows redirects by `Redirect`'s rules,
/// verifies certificates always, and repeats nothing (see `RetryingTransport`).
///
/// The total time-out spans all redirects; waiting in line for a place at a busy host does not count.
public final class CurlTransport: HTTPTransport {
    private let engine: CurlEngine
    private let configuration: CurlConfiguration

    public init(configuration: CurlConfiguration = CurlConfiguration()) {
        self.configuration = configuration
        engine = CurlEngine(configuration)
    }

    deinit { engine.shutdown() }

    /// Ends running exchanges as cancelled and closes all connections; later calls throw `.cancelled`.
    public func shutdown() { engine.shutdown() }

    public func route(to url: String) -> ProxyRoute { WebAddress(url).map(configuration.proxyRules.route) ?? .direct }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let limit = configuration.maximumBodySize
        let (exchange, sink) = try await followingRedirects(request, decodesContent: true) { MemorySink(limit: limit) }
        return HTTPResponse(
            status: exchange.head.status, headers: exchange.head.headers, body: sink.bytes, url: exchange.request.url)
    }

    /// One hop after the other; each gets a fresh sink, so that a redirect's own body is nobody's.
    func followingRedirects<Sink: BodySink>(
        _ request: HTTPRequest, decodesContent: Bool, sink makeSink: () -> Sink
    ) async throws(TransportError) -> (CurlExchange, Sink) {
        var next = request
        var spent = Duration.zero
        for count in 0... {
            let clock = ContinuousClock()
            let start = clock.now
            let sink = makeSink()
            var hop = next
            if let total = next.timeouts.total { hop.timeouts.total = max(.milliseconds(1), total - spent) }
            let exchange = try await perform(hop, sink: sink, decodesContent: decodesContent)
            spent += start.duration(to: clock.now)
            guard let following = try Redirect.next(after: (exchange.head.status, exchange.head.headers), to: next, count: count)
            else { return (exchange, sink) }
            next = following
        }
        throw TransportError(kind: .tooManyRedirects, message: "", url: Redaction.address(request.url))
    }

    private func perform(
        _ request: HTTPRequest, sink: any BodySink, decodesContent: Bool
    ) async throws(TransportError) -> CurlExchange {
        guard let address = WebAddress(request.url), address.isHTTP else {
            throw TransportError(kind: .badURL, message: "Not an http or https URL.", url: Redaction.address(request.url))
        }
        let exchange = CurlExchange(request, address: address, sink: sink, decodesContent: decodesContent)
        if Task.isCancelled { throw exchange.error(.cancelled, "Cancelled before it started.") }
        if let error = await engine.perform(exchange) { throw error }
        return exchange
    }
}
