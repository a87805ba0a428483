/// Signing in. Secrets are references: where a secret is, never what it is.
enum AuthKeys {
    static let auth = ObjectShape(
        keys: [
            Key(
                name: "apiKey", shape: .object(secret), meaning: "An API key of ArcGIS Online or Location Platform.",
                example: "{ env: ARCGIS_API_KEY }"),
            Key(
                name: "token", shape: .object(secret), meaning: "A token that something else has fetched.",
                example: "{ file: /run/secrets/token }"),
            Key(
                name: "oauth", shape: .object(oauth), meaning: "App credentials (OAuth client credentials).",
                example: "{ clientID: abc123, clientSecret: { credential: client-secret } }"),
            Key(
                name: "user", shape: .object(user),
                meaning: "A user of the portal: tokens are fetched and renewed (generateToken).",
                example: "{ name: night-export, password: { command: [pass, show, arcgis] } }"),
            Key(
                name: "referer", shape: .text(.any),
                meaning: "What `token` is bound to: it is sent as the Referer, without which such a token is not valid.",
                standardInWords: "not bound", example: "https://maps.example.com"),
        ], rules: [.exactlyOne(["apiKey", "token", "oauth", "user"]), .needs("referer", "token")], isGuarded: true)

    static let oauth = ObjectShape(
        keys: [
            Key(
                name: "clientID", shape: .text(.any), isRequired: true, meaning: "The app's client id. It is no secret.",
                example: "abc123"),
            Key(
                name: "clientSecret", shape: .object(secret), isRequired: true, meaning: "The app's secret.",
                example: "{ credential: client-secret }"),
        ], isGuarded: true)

    static let user = ObjectShape(
        keys: [
            Key(name: "name", shape: .text(.any), isRequired: true, meaning: "The user name.", example: "night-export"),
            Key(
                name: "password", shape: .object(secret), isRequired: true, meaning: "The user's password.",
                example: "{ file: /etc/offline-batch/password }"),
        ], isGuarded: true)

    static let secret = ObjectShape(
        keys: [
            Key(
                name: "file", shape: .text(.any),
                meaning:
                    "A file that holds the secret and nothing else (a newline at the end is dropped). A file that its group or "
                    + "others can read is refused. A relative path begins at the manifest's folder.",
                example: "/etc/offline-batch/password"),
            Key(
                name: "credential", shape: .text(.credentialName),
                meaning: "The name of a systemd credential: a file in $CREDENTIALS_DIRECTORY (`LoadCredential=`).",
                example: "client-secret"),
            Key(
                name: "command",
                shape: .either(
                    scalar: .text(.program), collection: .list(.text(.any), itemWords: "words (program and arguments)")),
                meaning:
                    "A program whose standard output is the secret: its path, or a list of program and arguments. No shell is used.",
                example: "[pass, show, arcgis]"),
            Key(
                name: "env", shape: .text(.environmentName), meaning: "An environment variable that holds the secret.",
                example: "ARCGIS_API_KEY"),
        ], rules: [.exactlyOne(["file", "credential", "command", "env"])], isSecret: true, isGuarded: true)
}
