import Basics

/// What a redirect makes of a request. Pure, and done by us: libcurl would carry our headers and bodies wherever it is sent.
///
/// - At most 5 in a row; from https to http, or to another kind of URL, never.
/// - 301 and 302 make a GET of a POST, as browsers do; 303 makes a GET of all but HEAD; 307 and 308 keep method and body.
/// - To another origin (scheme, host or port) go no credentials: not the headers `Authorization`, `X-Esri-Authorization`,
///   `Cookie` and `Referer`, not the secret parameters of a form body, and not a secret of ours that the server wrote into the
///   new URL. They do not come back when a later redirect leads home.
enum Redirect {
    static let limit = 5

    private static let credentialHeaders: Set<String> = [
        "authorization", "x-esri-authorization", "proxy-authorization", "cookie", "referer", "x-api-key",
    ]
    private static let bodyHeaders: Set<String> = ["content-type", "content-length", "content-encoding", "transfer-encoding"]

    /// The request to send next; nil when the answer is final. `count` redirects were followed before.
    static func next(
        after response: (status: Int, headers: [HTTPHeader]), to request: HTTPRequest, count: Int
    ) throws(TransportError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"] else { return nil }
        let place = Redaction.address(request.url)
        guard count < limit else { throw TransportError(kind: .tooManyRedirects, message: "\(limit) redirects", url: place) }
        guard let source = WebAddress(request.url), var target = WebAddress(location, relativeTo: source) else {
            throw TransportError(kind: .badURL, message: "Location: \(Redaction.url(location))", url: place)
        }
        guard target.isHTTP, source.scheme != "https" || target.scheme == "https" else {
            throw TransportError(
                kind: .unsafeRedirect, message: "\(source.scheme) to \(target.scheme)://\(target.host)", url: place)
        }
        var next = request
        if changesMethod(response.status, request.method) {
            next.method = .get
            next.body = []
            next.headers.removeAll { bodyHeaders.contains($0.name.lowercased()) }
        }
        if target.origin != source.origin {
            target = withoutSecrets(of: request, target)
            next.headers.removeAll { credentialHeaders.contains($0.name.lowercased()) }
            if isForm(next) {
                let kept = FormEncoding.decode(String(decoding: next.body, as: UTF8.self)).filter {
                    !Redaction.isSecret(parameter: $0.0)
                }
                next.body = Array(FormEncoding.encode(kept).utf8)
            }
        }
        next.url = target.text
        return next
    }

    private static func changesMethod(_ status: Int, _ method: HTTPRequest.Method) -> Bool {
        switch status {
        case 301, 302: method == .post
        case 303: method != .head
        default: false
        }
    }

    private static func isForm(_ request: HTTPRequest) -> Bool {
        guard !request.body.isEmpty else { return false }
        return request.headers["Content-Type"]?.lowercased().hasPrefix(FormEncoding.contentType) ?? true
    }

    /// The server's own signatures stay: only values that this request brought go.
    private static func withoutSecrets(of request: HTTPRequest, _ target: WebAddress) -> WebAddress {
        guard let query = target.query else { return target }
        var secrets = Set<String>()
        let sent =
            FormEncoding.decode(WebAddress(request.url)?.query ?? "")
            + (isForm(request) ? FormEncoding.decode(String(decoding: request.body, as: UTF8.self)) : [])
        for (name, value) in sent where Redaction.isSecret(parameter: name) { secrets.insert(value) }
        for name in ["Authorization", "X-Esri-Authorization"] {
            if let value = request.headers[name]?.split(separator: " ").last { secrets.insert(String(value)) }
        }
        let parameters = FormEncoding.decode(query)
        let kept = parameters.filter { !secrets.contains($0.1) || $0.1.isEmpty }
        if kept.count == parameters.count { return target }
        return target.replacing(query: kept.isEmpty ? nil : FormEncoding.encode(kept)) ?? target
    }
}
