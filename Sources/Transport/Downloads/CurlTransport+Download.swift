import Basics
import Glibc

extension CurlTransport {
    /// Resumes when the target has bytes and a record of them: `Range` with `If-Range`, so that a changed file comes whole (RFC 9110).
    ///
    /// 1. The bytes that are there, as far as their record vouches for them, are hashed, off the pool.
    /// 2. 206 with the range asked for goes on behind them; 200 starts the file again; 416 that names our size as the whole means
    ///    that nothing is missing (the validator holds, or the answer were 200); any other 416, or a range that does not fit, starts
    ///    again once, without a range.
    /// 3. A file shorter than promised is `.closedEarly`; what came stays for the next try. Of a longer one nothing is kept.
    /// 4. A whole file is flushed before it is one.
    public func download(
        _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome {
        if let outcome = try await attempt(request, to: target, resumes: true, progress: progress) { return outcome }
        if let outcome = try await attempt(request, to: target, resumes: false, progress: progress) { return outcome }
        throw TransportError(
            kind: .wrongLength, message: "The server sent a part of the file that was not asked for.",
            url: Redaction.address(request.url))
    }

    /// Nil when the server's answer to the range is of no use.
    private func attempt(
        _ request: HTTPRequest, to target: DownloadTarget, resumes: Bool, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome? {
        let place = Redaction.address(request.url)
        var ranged = request
        ranged.headers.append(HTTPHeader("Accept-Encoding", "identity"))
        var partial = PartialFile()
        if resumes {
            partial = try await offPool { () throws(TransportError) in try PartialFile.read(target, url: place) }
            if let record = partial.record, partial.size > 0 {
                ranged.headers += [HTTPHeader("Range", "bytes=\(partial.size)-"), HTTPHeader("If-Range", record.validator)]
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
            throw error
        }
        return try await conclude(exchange, sink, target, resumed: partial.size > 0)
    }

    private func conclude(
        _ exchange: CurlExchange, _ sink: FileSink, _ target: DownloadTarget, resumed: Bool
    ) async throws(TransportError) -> DownloadOutcome? {
        let head = exchange.head
        guard sink.finish(head: head) else {
            throw exchange.error(.localStorage, sink.failure?.message ?? "", sink.failure?.systemCode)
        }
        if sink.rangeMismatch { return nil }
        if head.status == 416 && resumed {
            guard ContentRange.unsatisfiedTotal(head.headers["Content-Range"]) == sink.size else { return nil }
            return .file(try await file(exchange, sink, target))
        }
        guard head.status == 200 || head.status == 206 else {
            return .response(HTTPResponse(status: head.status, headers: head.headers, body: sink.body, url: exchange.request.url))
        }
        if let expected = sink.expectedSize, expected != sink.size {
            if sink.size > expected { try? await offPool { () throws(SystemError) in try Files.remove(target.recordPath) } }
            throw exchange.error(
                sink.size < expected ? .closedEarly : .wrongLength, "\(sink.size) of \(expected) bytes came.")
        }
        return .file(try await file(exchange, sink, target))
    }

    private func file(
        _ exchange: CurlExchange, _ sink: FileSink, _ target: DownloadTarget
    ) async throws(TransportError) -> DownloadResponse {
        do throws(SystemError) {
            if let file = sink.file {
                try await file.flushed()
            } else {
                try await offPool { () throws(SystemError) in try Files.syncFile(target.path) }
            }
        } catch {
            throw exchange.error(.localStorage, "\(error.call): \(error.message)", error.code)
        }
        return DownloadResponse(
            status: exchange.head.status, headers: exchange.head.headers, url: exchange.request.url, size: sink.size,
            transferred: sink.transferred, sha256: sink.finalHash(), validator: sink.validator)
    }
}
