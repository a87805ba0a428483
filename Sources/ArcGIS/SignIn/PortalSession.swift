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
        var parameters = parameters
        parameters["f"] = "json"
        let form = FormEncoding.encode(parameters)
        let long = URLText.appending(form, to: url)
        if method == .get || (method == .automatic && long.utf8.count <= 2_000) {
            return HTTPRequest(method: .get, url: long, headers: [accept], timeouts: timeouts)
        }
        let headers = [accept, HTTPHeader("Content-Type", FormEncoding.contentType)]
        // A long read is still a read: it may be repeated.
        return HTTPRequest(
            method: .post, url: URLText.appending("", to: url), headers: headers, body: Array(form.utf8), timeouts: timeouts,
            isIdempotent: method == .automatic)
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

/// How a request is sent.
public enum RequestMethod: Sendable, Hashable {
    /// GET up to 2,000 characters of URL, else POST.
    case automatic
    case get
    /// For everything that makes, changes or ends something.
    case post
}
