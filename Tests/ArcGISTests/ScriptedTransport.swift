import Basics
import Foundation
import Transport

@testable import ArcGIS

/// Answers requests from a closure and remembers them.
struct ScriptedTransport: HTTPTransport {
    actor Journal {
        private(set) var requests: [HTTPRequest] = []
        func add(_ request: HTTPRequest) { requests.append(request) }
    }

    let journal = Journal()
    let answer: @Sendable (HTTPRequest) async -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) { self.answer = answer }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        await journal.add(request)
        return await answer(request)
    }

    func download(
        _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome {
        .response(try await send(request))
    }
}

extension HTTPRequest {
    /// Query and form merged, decoded.
    var parameters: [String: String] {
        let query = url.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        var result: [String: String] = [:]
        for text in [query, String(decoding: body, as: UTF8.self)] {
            for pair in text.split(separator: "&") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                result[String(parts[0])] = parts.count > 1 ? String(parts[1]).removingPercentEncoding : ""
            }
        }
        return result
    }

    var path: String { url.split(separator: "?")[0].description }
    var token: String? { headers["X-Esri-Authorization"] }
}

extension HTTPResponse {
    static func json(_ text: String, status: Int = 200, headers: [HTTPHeader] = []) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Array(text.utf8), url: "")
    }
}

func client(
    _ portal: String = "https://gis.example.org/portal", _ credential: Credential = .none, now: Double = 1_000_000,
    _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
) -> (client: ArcGISClient, journal: ScriptedTransport.Journal) {
    let transport = ScriptedTransport(answer)
    return (
        ArcGISClient(transport: transport, portal: portal, credentials: CredentialStore(credential), now: { now }),
        transport.journal
    )
}

/// With a closure that is at hand already.
func client(
    answering answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
) -> (client: ArcGISClient, journal: ScriptedTransport.Journal) {
    client("https://gis.example.org/portal", .none, answer)
}

/// The error that a call ends with; nil when it succeeds.
func failure<Value>(_ body: () async throws(ArcGISError) -> Value) async -> ArcGISError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
