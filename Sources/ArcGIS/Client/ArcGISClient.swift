import Basics
import Foundation
import Transport

/// Speaks with one portal and with the services that its maps use. Each call is one exchange (with what sign-in it needs): repeated
/// calls, limits and waiting belong to the transport below and to the executor above. The only replay is the one after a
/// refused token.
public struct ArcGISClient: Sendable {
    public let portal: PortalAddress
    let session: PortalSession
    let credentials: CredentialStore
    var timeouts: Timeouts

    /// - Parameters:
    ///   - portal: `https://host` or `https://host/context`.
    ///   - now: seconds since 1970, for the expiry of tokens.
    public init(
        transport: any HTTPTransport, portal: String, credentials: CredentialStore, timeouts: Timeouts = Timeouts(),
        now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }
    ) {
        self.portal = PortalAddress(portal)
        self.credentials = credentials
        self.timeouts = timeouts
        session = PortalSession(transport: transport, portal: self.portal, now: now)
    }

    /// Calls an operation and gives its JSON; `f=json` is added. The token goes in a header, never in the URL, and only where
    /// it belongs. A 498 or 499 is answered by one renewal and one replay (REST reference 2.2).
    public func json(
        _ url: String, _ parameters: [String: String] = [:], method: RequestMethod = .automatic
    ) async throws(ArcGISError) -> JSON {
        try await exchange(url, parameters, method: method) { response, now throws(ArcGISError) in
            try Answer.read(response, of: url, now: now)
        }
    }

    /// The bytes of a resource that is not JSON (sprites, glyphs, thumbnails); an error body is thrown as the error it is.
    public func bytes(_ url: String) async throws(ArcGISError) -> [UInt8] {
        try await resource(url) { response throws(ArcGISError) in response.body }
    }

    /// A resource that is not JSON, once it proved not to be an error.
    func resource<Value: Sendable>(
        _ url: String, read: (HTTPResponse) throws(ArcGISError) -> Value
    ) async throws(ArcGISError) -> Value {
        try await replaying(HTTPRequest(url: secured(url), timeouts: timeouts)) { response, now throws(ArcGISError) in
            guard (200..<300).contains(response.status) else {
                _ = try Answer.read(response, of: url, now: now)
                throw Answer.error(.httpStatus(title: nil), response, of: url, now: now)
            }
            if let error = ErrorBody.check(response.body, contentType: response.headers["Content-Type"], url: url) { throw error }
            return try read(response)
        }
    }

    /// A GET for a download through `HTTPTransport.download`, with the headers that its URL may see.
    public func authorizedRequest(for url: String, sendsCredentials: Bool = true) async throws(ArcGISError) -> HTTPRequest {
        let request = HTTPRequest(url: secured(url), timeouts: timeouts)
        guard sendsCredentials else { return request }
        return adding(try await credentials.authorization(for: request.url, in: session), to: request)
    }

    /// The same request with another token, after a download was answered by 498 or 499 (cases A07, B04); nil when there is no
    /// other token. A request that carried none gets the one that its URL is entitled to.
    public func renewedRequest(after refused: HTTPRequest) async throws(ArcGISError) -> HTTPRequest? {
        let current = try await credentials.authorization(for: refused.url, in: session)
        let sent = refused.headers[Self.tokenHeader]
        var plain = refused
        plain.headers.removeAll { [Self.tokenHeader.lowercased(), "referer"].contains($0.name.lowercased()) }
        if let current, sent != Self.headerValue(current) { return adding(current, to: plain) }
        guard let next = try await credentials.renewed(after: current, for: refused.url, in: session) else { return nil }
        return adding(next, to: plain)
    }
}

extension ArcGISClient {
    /// A service's root document, and where it is: an old http URL that redirects to https has moved, and what is posted to it
    /// later must not be redirected, because a redirected POST loses its body (cases J04).
    func service(_ url: String) async throws(ArcGISError) -> (url: String, root: JSON) {
        let service = ServiceAddress(url)?.service ?? url
        return try await exchange(service) { response, now throws(ArcGISError) in
            let root = try Answer.read(response, of: service, now: now)
            let place = ServiceAddress(response.url)
            let hasMoved = place?.type != nil && place?.type == ServiceAddress(service)?.type
            return (hasMoved ? place?.service ?? service : service, root)
        }
    }

    /// Sends, reads, and on a refused token sends once more.
    func exchange<Value: Sendable>(
        _ url: String, _ parameters: [String: String] = [:], method: RequestMethod = .automatic,
        read: (HTTPResponse, Double) throws(ArcGISError) -> Value
    ) async throws(ArcGISError) -> Value {
        let request = PortalSession.request(secured(url), parameters, method: method, timeouts: timeouts)
        return try await replaying(request, read: read)
    }

    private func replaying<Value: Sendable>(
        _ request: HTTPRequest, read: (HTTPResponse, Double) throws(ArcGISError) -> Value
    ) async throws(ArcGISError) -> Value {
        let authorization = try await credentials.authorization(for: request.url, in: session)
        do {
            return try read(try await session.send(adding(authorization, to: request)), session.now())
        } catch {
            guard error.isRefusedToken else { throw error }
            guard let next = try await credentials.renewed(after: authorization, for: request.url, in: session) else {
                await credentials.noteRefusal(of: request.url, portal: portal)
                throw await explained(error, url: request.url)
            }
            return try read(try await session.send(adding(next, to: request)), session.now())
        }
    }

    private func explained(_ error: ArcGISError, url: String) async -> ArcGISError {
        guard let refusal = await credentials.refusal(for: url),
            case .service(let code, let messageCode, let message, var details) = error.kind
        else { return error }
        details.append("token exchange at \(refusal.url): \(([refusal.message] + refusal.details).joined(separator: " "))")
        var error = error
        error.kind = .service(code: code, messageCode: messageCode, message: message, details: details)
        return error
    }

    private static let tokenHeader = "X-Esri-Authorization"
    private static func headerValue(_ authorization: Authorization) -> String { "Bearer " + authorization.token.value }

    private func adding(_ authorization: Authorization?, to request: HTTPRequest) -> HTTPRequest {
        guard let authorization else { return request }
        var request = request
        request.headers.append(HTTPHeader(Self.tokenHeader, Self.headerValue(authorization)))
        if let referer = authorization.token.referer { request.headers.append(HTTPHeader("Referer", referer)) }
        return request
    }

    /// Old maps say http: the hosts of ArcGIS Online, a secure portal's own host, and servers with a sign-in of their own that are
    /// named with https, are asked by https (cases J04). So no sign-in goes out in clear text because of a map.
    func secured(_ url: String) -> String {
        guard var parts = URLParts(url), parts.origin.scheme == "http", let home = portal.origin else { return url }
        let isOnline = parts.origin.isEsriOnline && parts.origin.port == 80
        let known = ([home] + credentials.serverRoots.compactMap(Origin.init(url:))).first {
            $0.scheme == "https" && parts.origin.host == $0.host && parts.origin.port == 80
        }
        guard isOnline || known != nil else { return url }
        parts.origin = Origin(scheme: "https", host: parts.origin.host, port: known?.port ?? 443)
        return parts.text
    }
}

extension ArcGISError {
    /// The answer to a token, so that another token may help; a refused sign-in is not.
    var isRefusedToken: Bool {
        if case .signIn = kind { return false }
        return isAuthentication && !isDenied
    }
}
