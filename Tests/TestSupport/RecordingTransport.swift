import Basics
import Synchronization
import Transport

/// One exchange without its secrets: those of URLs, headers, form bodies, and members of JSON answers (a new token).
public struct RecordedExchange: Sendable, Hashable {
    public var request: HTTPRequest
    public var response: HTTPResponse?
    public var error: TransportError?

    public init(request: HTTPRequest, response: HTTPResponse? = nil, error: TransportError? = nil) {
        self.request = request
        self.response = response
        self.error = error
    }
}

/// Keeps what went through, redacted, in the order in which exchanges ended.
public final class RecordingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let record = Mutex<[RecordedExchange]>([])

    public init(_ base: any HTTPTransport) { self.base = base }

    public var exchanges: [RecordedExchange] { record.withLock { $0 } }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        do {
            let response = try await base.send(request)
            keep(request, response)
            return response
        } catch {
            record.withLock { $0.append(RecordedExchange(request: Self.redacted(request), error: error)) }
            throw error
        }
    }

    /// A file's bytes are not kept, only its status and headers.
    public func download(
        _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome {
        do {
            let outcome = try await base.download(request, to: target, progress: progress)
            switch outcome {
            case .file(let file): keep(request, HTTPResponse(status: file.status, headers: file.headers, url: file.url))
            case .response(let response): keep(request, response)
            }
            return outcome
        } catch {
            record.withLock { $0.append(RecordedExchange(request: Self.redacted(request), error: error)) }
            throw error
        }
    }

    private func keep(_ request: HTTPRequest, _ response: HTTPResponse) {
        var response = response
        response.url = Redaction.url(response.url)
        response.headers = response.headers.map(Redaction.header)
        if let json = try? JSON.parse(response.body), let redacted = Redaction.json(json) {
            response.body = Array(redacted.serialized().utf8)
        }
        record.withLock { [response] in $0.append(RecordedExchange(request: Self.redacted(request), response: response)) }
    }

    static func redacted(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.url = Redaction.url(request.url)
        request.headers = request.headers.map(Redaction.header)
        request.body = Array(Redaction.form(String(decoding: request.body, as: UTF8.self)).utf8)
        return request
    }
}
