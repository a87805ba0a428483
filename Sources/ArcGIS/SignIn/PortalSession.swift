import Basics
import Foundation
import Transport

/// The bare exchange of one request and one JSON answer, without credentials: what sign-in itself is made of.
struct PortalSession: Sendable {
    let transport: any HTTPTransport
    let portal: PortalAddress
    let now: @Sendable () -> Double

    /// GET when it fits into a URL that every server takes, else POST; `f=json` is added (REST reference 0.1).
    static func request(
        _ url: String, _ parameters: [String: String], method: RequestMethod, timeouts: Timeouts = Timeouts()
    ) -> HTTPRequest {
        .form(
            url: URLText.withoutOwnParameters(url), parameters: parameters.merging(["f": "json"]) { $1 }, method: method,
            headers: [accept], timeouts: timeouts)
    }

    private static let accept = HTTPHeader("Accept", "application/json, */*;q=0.5")

    func send(_ request: HTTPRequest) async throws(ArcGISError) -> HTTPResponse {
        do {
            return try await transport.send(request)
        } catch {
            throw ArcGISError(kind: .transport(error), url: request.url)
        }
    }

    /// One anonymous call.
    func json(_ url: String, _ parameters: [String: String] = [:], method: RequestMethod = .automatic) async throws(ArcGISError)
        -> JSON
    {
        let response = try await send(Self.request(url, parameters, method: method))
        return try Answer.read(response, of: url, now: now())
    }
}
