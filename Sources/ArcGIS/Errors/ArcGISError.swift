import Transport

/// Why a portal or service did not give what was asked for. Data only; the words for people are made in `Reporting`.
public struct ArcGISError: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// No answer at all.
        case transport(TransportError)
        /// The service's own error, from any of its envelopes (REST reference 2.1). `code` may be missing.
        case service(code: Int?, messageCode: String?, message: String, details: [String])
        /// An HTTP status other than 2xx without an error body of the service; `title` is that of an HTML page.
        case httpStatus(title: String?)
        /// An answer that should have been JSON. `title` and `code` are read off an HTML page, `syntax` is the parser's reason.
        case notJSON(title: String?, code: Int?, syntax: String?)
        /// JSON, but not what the operation answers; `excerpt` names what was there, never values.
        case unexpectedAnswer(what: String, excerpt: String)
        /// A credential could not be read or made; `reason` is in the words of whoever holds it.
        case signIn(reason: String)
    }

    public var kind: Kind
    /// Without its query.
    public var url: String
    public var httpStatus: Int?
    /// How long the server asked to wait, from the header or from the text of a rate limit.
    public var retryAfter: Duration?

    public init(kind: Kind, url: String, httpStatus: Int? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.url = URLText.withoutQuery(url)
        self.httpStatus = httpStatus
        self.retryAfter = retryAfter
    }

    /// The service's code; for answers without one, what an HTML page or the HTTP status says.
    public var code: Int? {
        switch kind {
        case .service(let code, _, _, _): code ?? failedStatus
        case .notJSON(_, let code, _): code ?? failedStatus
        case .httpStatus: httpStatus
        case .transport, .unexpectedAnswer, .signIn: nil
        }
    }

    private var failedStatus: Int? { httpStatus.flatMap { $0 >= 400 ? $0 : nil } }

    public var messageCode: String? { if case .service(_, let code, _, _) = kind { code } else { nil } }

    /// The server's, the library's or the page's own words; empty when there are none.
    public var message: String {
        switch kind {
        case .transport(let error): error.message
        case .service(_, _, let message, _): message
        case .httpStatus(let title): title ?? ""
        case .notJSON(let title, _, let syntax): title ?? syntax ?? ""
        case .unexpectedAnswer(let what, let excerpt): excerpt.isEmpty ? what : "\(what): \(excerpt)"
        case .signIn(let reason): reason
        }
    }

    public var details: [String] { if case .service(_, _, _, let details) = kind { details } else { [] } }
}

/// What follows from an error, by the tables of REST reference 2.2 and cases D04: by code, never by text.
extension ArcGISError {
    private static let transientCodes: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// The same request may succeed later.
    public var isTransient: Bool {
        if case .transport(let error) = kind { return error.isTransient }
        if let code { return Self.transientCodes.contains(code) }
        switch kind {
        // A page or half an answer instead of JSON comes from something between us and the service, or from a cut line.
        case .notJSON: return true
        case .unexpectedAnswer: return retryAfter != nil
        default: return false
        }
    }

    /// Nobody, or not the right one, is signed in.
    public var isAuthentication: Bool {
        if case .signIn = kind { return true }
        return messageCode == "GWM_0003" || code.map { [401, 498, 499].contains($0) } == true
    }

    /// The portal refused to make a token. It answers 400 then, whatever was wrong (REST reference 1.5, 1.6): a wrong password is
    /// told from a wrong parameter by what was asked.
    public var isRefusedSignIn: Bool {
        guard case .service = kind, !isTransient else { return false }
        return url.hasSuffix("/generateToken") || url.hasSuffix("/oauth2/token")
    }

    /// Signed in, but not allowed; for a private portal item also when nobody is signed in.
    public var isDenied: Bool { code == 403 }

    /// It is not there, or not visible: the portal says 400 with `CONT_0001` for both (REST reference 1.2).
    public var isMissing: Bool { code == 404 || messageCode == "CONT_0001" }

    /// A smaller page may get through where this one failed (REST reference 5.3).
    var suggestsSmallerPage: Bool {
        if code == 504 || code == 500 { return true }
        let text = message.lowercased()
        return code == 400 && (text.hasPrefix("unable to complete operation") || text.hasPrefix("error performing query"))
    }
}

extension TransportError {
    /// Network weather; not a wrong address, a refused certificate, a full disk or a wish to stop.
    public var isTransient: Bool {
        switch kind {
        case .nameResolution, .connect, .timeout, .inactivity, .closedEarly, .wrongLength, .proxy, .other: true
        case .badURL, .tls, .tooManyRedirects, .unsafeRedirect, .proxySignIn, .localStorage, .cancelled, .tooLarge: false
        }
    }
}
