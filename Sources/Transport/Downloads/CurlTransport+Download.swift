import Basics
import Glibc

extension CurlTransport {
    /// Resumes when the target has bytes and a validator: `Range` with `If-Range`, so that a changed file comes whole (RFC 9110).
    ///
    /// 1. The bytes that are there are hashed, off the pool.
    /// 2. 206 with the range asked for goes on behind them; 200 starts the file again; 416 that names our size as the whole means
    ///    that nothing is missing (the validator holds, or the answer were 200); any other 416, or a range that does not fit, starts
    ///    again once, without a range.
    /// 3. A file shorter than promised is `.closedEarly`; what came stays for the next try, with its validator in the error.
    public func download(
        _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome {
        if let outcome = try await attempt(request, to: target, progress: progress) { return outcome }
        var fresh = target
        fresh.validator = nil
        if let outcome = try await attempt(request, to: fresh, progress: progress) { return outcome }
        throw TransportError(
            kind: .wrongLength, message: "The server sent a part of the file that was not asked for.",
            url: Redaction.address(request.url))
    }

    /// Nil when the server's answer to the range is of no use.
    private func attempt(
        _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome? {
        let place = Redaction.address(request.url)
        var ranged = request
        ranged.headers.append(HTTPHeader("Accept-Encoding", "identity"))
        var partial = PartialFile()
        if let validator = target.validator {
            partial = try await offPool { () throws(TransportError) in try PartialFile.read(target.path, url: place) }
            if partial.size > 0 {
                ranged.headers += [HTTPHeader("Range", "bytes=\(partial.size)-"), HTTPHeader("If-Range", validator)]
            }
        }
        // Each redirect has its own sink, but only the last answer touches the hash and the file.
        var sinks: [FileSink] = []
        let kept = partial
        let exchange: CurlExchange
        let sink: FileSink
        do {
            (exchange, sink) = try await followingRedirects(ranged, decodesContent: false) {
                let sink = FileSink(target: target, partial: kept, progress: progress)
                sinks.append(sink)
                return sink
            }
        } catch {
            if sinks.last?.rangeMismatch ?? false { return nil }
            var error = error
            error.validator = sinks.last?.validator ?? target.validator
            throw error
        }
        return try conclude(exchange, sink, target, resumed: partial.size > 0)
    }

    private func conclude(
        _ exchange: CurlExchange, _ sink: FileSink, _ target: DownloadTarget, resumed: Bool
    ) throws(TransportError) -> DownloadOutcome? {
        let head = exchange.head
        guard sink.finish(head: head) else {
            throw exchange.error(.localStorage, sink.failure?.message ?? "", sink.failure?.systemCode)
        }
        if sink.rangeMismatch { return nil }
        if head.status == 416 && resumed {
            return ContentRange.unsatisfiedTotal(head.headers["Content-Range"]) == sink.size ? .file(file(exchange, sink)) : nil
        }
        guard head.status == 200 || head.status == 206 else {
            return .response(HTTPResponse(status: head.status, headers: head.headers, body: sink.body, url: exchange.request.url))
        }
        if let expected = sink.expectedSize, expected != sink.size {
            var error = exchange.error(
                sink.size < expected ? .closedEarly : .wrongLength, "\(sink.size) of \(expected) bytes came.")
            error.validator = sink.size < expected ? sink.validator : nil
            throw error
        }
        return .file(file(exchange, sink))
    }

    private func file(_ exchange: CurlExchange, _ sink: FileSink) -> DownloadResponse {
        DownloadResponse(
            status: exchange.head.status, headers: exchange.head.headers, url: exchange.request.url, size: sink.size,
            transferred: sink.transferred, sha256: sink.finalHash(), validator: sink.validator)
    }
}
