import Basics

/// Who may sign in and what needs it. Without a `--users` file there are two users, each with its name as the password: `demo`, and
/// `gis_admin`, to whom everything belongs; and everything but the private item is public.
struct UserDirectory: Sendable {
    struct User: Sendable {
        var name: String
        var password: String
        var role = "org_publisher"
    }

    struct App: Sendable {
        var id: String
        var secret: String
    }

    var users = [
        User(name: "demo", password: "demo"), User(name: "gis_admin", password: "gis_admin", role: "org_admin"),
    ]
    var apps: [App] = []
    struct RefreshToken: Sendable {
        var token: String
        var user: String
        var clientID: String
    }

    var apiKeys: [String] = []
    /// As a person would have got them by signing in in a browser.
    var refreshTokens: [RefreshToken] = []
    /// Globs on service paths (`Water_Network/FeatureServer`) that need sign-in.
    var securedServices: [String] = []
    /// Globs on item ids that need sign-in.
    var securedItems: [String] = []
    /// Users that may use the secured things; empty means every signed-in user.
    var allowed: Set<String> = []
    /// The server takes only tokens that were exchanged for it (REST reference 1.8).
    var requiresExchange = false
    /// Not nil: the server is not federated and has these users, and no others.
    var standAlone: [User]?

    private static let keys = ["users", "apps", "apiKeys", "refreshTokens", "secured", "requireExchange", "standAlone"]

    init() {}

    init(yaml: String) throws(ConfigurationError) {
        let tree: JSON
        do throws(YAMLReader.SyntaxError) { tree = try YAMLReader.read(yaml) } catch {
            throw ConfigurationError(message: "line \(error.line): \(error.reason)")
        }
        for key in tree.object?.keys ?? [] where !Self.keys.contains(key) {
            let hint = nearestName(to: key, among: Self.keys).map { ", did you mean \($0)?" } ?? ""
            throw ConfigurationError(message: "unknown key \(key)\(hint)")
        }
        users = try Self.users(tree["users"])
        standAlone = try tree["standAlone"].map { server throws(ConfigurationError) in try Self.users(server["users"]) }
        for item in tree["apps"]?.array ?? [] {
            guard let id = (item["clientID"] ?? item["id"])?.text, let secret = (item["clientSecret"] ?? item["secret"])?.text
            else {
                throw ConfigurationError(message: "an app has a clientID and a secret")
            }
            apps.append(App(id: id, secret: secret))
        }
        apiKeys = (tree["apiKeys"]?.array ?? []).compactMap(\.text)
        refreshTokens = (tree["refreshTokens"]?.array ?? []).compactMap { item in
            guard let token = item["token"]?.text, let user = item["user"]?.text, let client = item["clientID"]?.text else {
                return nil
            }
            return RefreshToken(token: token, user: user, clientID: client)
        }
        securedServices = (tree["secured"]?["services"]?.array ?? []).compactMap(\.text)
        securedItems = (tree["secured"]?["items"]?.array ?? []).compactMap(\.text)
        allowed = Set((tree["secured"]?["allow"]?.array ?? []).compactMap(\.text))
        requiresExchange = tree["requireExchange"]?.bool ?? false
    }

    private static func users(_ tree: JSON?) throws(ConfigurationError) -> [User] {
        try (tree?.array ?? []).map { item throws(ConfigurationError) in
            guard let name = item["name"]?.text ?? item["username"]?.text, let password = item["password"]?.text else {
                throw ConfigurationError(message: "a user has a name and a password")
            }
            return User(name: name, password: password, role: item["role"]?.text ?? "org_publisher")
        }
    }

    func identity(of name: String) -> Identity? {
        users.first { $0.name == name }.map { Identity(kind: .user, name: $0.name, role: $0.role) }
    }

    func needsSignIn(service: String) -> Bool { securedServices.contains { Glob.matches($0, service) } }
    func needsSignIn(item: String) -> Bool { securedItems.contains { Glob.matches($0, item) } }
    func isAllowed(_ identity: Identity) -> Bool { allowed.isEmpty || allowed.contains(identity.name) }
}

/// Who a request comes from.
struct Identity: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case user, app, apiKey }

    var kind: Kind
    var name: String
    var role: String
}
