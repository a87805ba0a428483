/// Other servers' accounts, certificates, proxies.
enum ConnectionKeys {
    static let server = ObjectShape(keys: [
        Key(
            name: "url", shape: .text(.url), isRequired: true,
            meaning: "The server's address: what stands before `/rest/services` in the addresses of its services.",
            example: "https://gis.example.org/server"),
        Key(
            name: "auth", shape: .object(serverAuth), isRequired: true, meaning: "The account at this server.",
            example: "{ user: { name: night, password: { env: GIS_PASSWORD } } }"),
    ])

    static let serverAuth = ObjectShape(
        keys: [
            Key(
                name: "user", shape: .object(AuthKeys.user),
                meaning: "A user of the server: tokens are fetched from its own token service, and renewed.",
                example: "{ name: night, password: { env: GIS_PASSWORD } }"),
            Key(
                name: "token", shape: .object(AuthKeys.secret), meaning: "A token of the server that something else has fetched.",
                example: "{ file: /run/secrets/gis-token }"),
            Key(
                name: "referer", shape: .text(.any),
                meaning: "What `token` is bound to: it is sent as the Referer, without which such a token is not valid.",
                standardInWords: "not bound", example: "https://maps.example.com"),
        ], rules: [.exactlyOne(["user", "token"]), .needs("referer", "token")], isGuarded: true)

    static let tls = ObjectShape(
        keys: [
            Key(
                name: "caFile", shape: .text(.any),
                meaning: "A PEM file of the certificate authorities to trust, in place of the system's.",
                example: "company-ca.pem"),
            Key(
                name: "clientCertificate", shape: .text(.any),
                meaning: "A PEM file with the certificate to show to servers that ask for one; it may hold the key, too.",
                example: "night.pem"),
            Key(
                name: "clientKey", shape: .text(.any),
                meaning: "A PEM file with the certificate's key. Refused when its group or others can read it.",
                standardInWords: "in the certificate's file", example: "night.key"),
            Key(
                name: "clientKeyPassword", shape: .object(AuthKeys.secret), meaning: "What the key is encrypted with.",
                standardInWords: "the key is not encrypted", example: "{ credential: night-key-password }"),
        ],
        rules: [
            .atLeast(1, otherwise: "`tls` is empty", hint: "give `caFile` or `clientCertificate`"),
            .needs("clientKey", "clientCertificate"), .needs("clientKeyPassword", "clientCertificate"),
        ])

    static let proxy = ObjectShape(keys: [
        Key(
            name: "url", shape: .text(.url), isRequired: true, meaning: "The proxy's address.",
            example: "http://proxy.example.org:3128"),
        Key(
            name: "user", shape: .object(AuthKeys.user), meaning: "Whom the proxy is to let through.",
            standardInWords: "anybody", example: "{ name: night, password: { env: PROXY_PASSWORD } }"),
        Key(
            name: "noProxy", shape: .list(.text(.any), itemWords: "hosts"),
            meaning: "Hosts, and domains with all below them, that are reached directly.",
            standardInWords: "`no_proxy` of the environment", example: "[gis.example.org, localhost]"),
    ])

    static let webAuth = ObjectShape(
        keys: [
            Key(
                name: "ntlm", shape: .object(AuthKeys.user), isRequired: true, meaning: "A Windows account.",
                example: "{ name: EXAMPLE\\night, password: { credential: night-password } }")
        ], isGuarded: true)
}
