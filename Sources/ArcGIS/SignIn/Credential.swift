import Basics

/// How to prove who we are to one portal.
public enum Credential: Sendable {
    /// Anonymous.
    case none
    /// A token made elsewhere; it cannot be renewed. `referer` is what it is bound to, if anything (REST reference 1.5).
    case token(Secret, referer: String? = nil)
    /// A long-lived token of ArcGIS Online or Location Platform (REST reference 1.7).
    case apiKey(Secret)
    /// `generateToken` with a user's name and password.
    case user(name: String, password: Secret)
    /// `oauth2/token` with an application's credentials.
    case application(clientID: String, clientSecret: Secret)

    var isAnonymous: Bool { if case .none = self { true } else { false } }

    /// Whether a refused token can be replaced by a new one.
    var isRenewable: Bool {
        switch self {
        case .none, .token, .apiKey: false
        case .user, .application: true
        }
    }
}

/// A token as a portal issued it, with what is needed to use and to replace it.
struct IssuedToken: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var value: String
    /// Seconds since 1970; nil when nobody said.
    var expires: Double?
    /// Seconds since 1970.
    var issued: Double
    /// The token counts only on requests with this `Referer`.
    var referer: String?

    init(value: String, expires: Double? = nil, issued: Double, referer: String? = nil) {
        self.value = value
        self.expires = expires
        self.issued = issued
        self.referer = referer
        KnownSecrets.add(value)
    }

    /// Not to be used in its last five minutes (REST reference 1.6), or the last fifth of a very short life.
    func isFresh(at now: Double) -> Bool {
        guard let expires else { return true }
        return now < expires - min(300, max(0, expires - issued) / 5)
    }

    var description: String { "(token)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// A token chosen for one URL.
struct Authorization: Sendable, Hashable {
    enum Source: Sendable, Hashable {
        case portal
        /// Exchanged for the server with this root.
        case server(root: String)
        /// Of the account at the stand-alone server with this root.
        case ownAccount(root: String)
    }

    var token: IssuedToken
    var source: Source
}
