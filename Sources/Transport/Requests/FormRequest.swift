import Basics

/// How a call with form parameters is sent.
public enum RequestMethod: Sendable, Hashable {
    /// GET while the whole URL has at most 2,000 characters, else POST (REST reference 0.1). For reads only, so a POST that comes
    /// of it may be repeated.
    case automatic
    case get
    /// For everything that makes, changes or ends something, and for secrets: a body is not logged.
    case post
}

extension HTTPRequest {
    /// A call with form parameters, in the query or in the body, sorted by name.
    public static func form(
        url: String, parameters: [String: String], method: RequestMethod, headers: [HTTPHeader] = [],
        timeouts: Timeouts = Timeouts()
    ) -> HTTPRequest {
        let form = FormEncoding.encode(parameters)
        let whole = form.isEmpty ? url : url + (url.contains("?") ? "&" : "?") + form
        if method == .get || (method == .automatic && whole.utf8.count <= 2_000) {
            return HTTPRequest(url: whole, headers: headers, timeouts: timeouts)
        }
        return HTTPRequest(
            method: .post, url: url, headers: headers + [HTTPHeader("Content-Type", FormEncoding.contentType)],
            body: Array(form.utf8), timeouts: timeouts, isIdempotent: method == .automatic)
    }
}
