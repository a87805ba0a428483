import Manifest
import Testing

/// `portal:` beyond the address and the sign-in.
@Suite struct PortalTests {
    @Test func everyKeyIsDecoded() throws {
        let result = decode(
            manifest(
                """
                portal:
                  servers:
                    - { url: https://gis.example.org/server/rest/services/, auth: { user: { name: u, password: { env: P } } } }
                    - { url: https://other.example.org/arcgis, auth: { token: { file: t } } }
                  tls: { caFile: certs/ca.pem, clientCertificate: /etc/me.pem, clientKey: me.key, clientKeyPassword: { file: k } }
                  proxy: { url: "http://proxy:3128", user: { name: p, password: { env: Q } }, noProxy: [localhost, .example.org] }
                  webAuth: { ntlm: { name: 'EXAMPLE\\u', password: { credential: c } } }

                """))
        let portal = try #require(result.manifest, Comment(rawValue: result.allText)).portal
        #expect(
            portal.servers == [
                ServerSettings(
                    url: "https://gis.example.org/server", auth: .user(name: "u", password: .environment("P"))),
                ServerSettings(url: "https://other.example.org/arcgis", auth: .token(.file("/m/t"))),
            ])
        #expect(
            portal.connection
                == ConnectionSettings(
                    tls: TLSSettings(
                        caFile: "/m/certs/ca.pem", clientCertificate: "/etc/me.pem", clientKey: "/m/me.key",
                        clientKeyPassword: .file("/m/k")),
                    proxy: ProxySettings(
                        url: "http://proxy:3128", user: .init(name: "p", password: .environment("Q")),
                        noProxy: ["localhost", ".example.org"]),
                    webAuth: .ntlm(name: "EXAMPLE\\u", password: .credential("c"))))
        #expect(decode(manifest("portal: { webAuth: negotiate }\n")).manifest?.portal.connection.webAuth == .negotiate)
        #expect(decode(manifest("")).manifest?.portal.connection == ConnectionSettings())
    }

    @Test(arguments: [
        ("url: http://maps.example.com/portal, auth: { apiKey: { env: K } }", 1),
        ("url: http://maps.example.com/portal", 0), ("url: http://maps.example.com/portal, auth: none", 0),
        ("url: http://127.0.0.1:8080/portal, auth: { apiKey: { env: K } }", 0),
        ("url: http://localhost/portal, auth: { apiKey: { env: K } }", 0),
        ("url: https://maps.example.com/portal, auth: { apiKey: { env: K } }", 0),
        ("servers: [{ url: http://h/s, auth: { token: { file: t } } }, { url: https://i/s, auth: { token: { file: t } } }]", 1),
    ])
    func signInsInClearTextAreSaid(_ yaml: String, _ count: Int) {
        let result = decode(manifest("portal: { \(yaml) }\n"))
        #expect(result.manifest != nil, "\(result.allText)")
        #expect(result.diagnostics.map(\.severity) == Array(repeating: .warning, count: count), "\(result.allText)")
    }

    @Test(arguments: [
        "servers: [{ url: https://h/s, auth: { user: { name: u, password: hunter22 } } }]",
        "servers: [{ url: https://h/s, auth: hunter22 }]", "webAuth: { ntlm: { name: u, password: hunter22 } }",
        "webAuth: hunter22", "webAuth: { ntlm: hunter22 }", "servers: [{ url: https://h/s, auth: { token: hunter22 } }]",
        "proxy: { url: http://me:hunter22@p }", "proxy: { url: http://p, user: { name: u, password: hunter22 } }",
        "tls: { clientCertificate: c, clientKeyPassword: hunter22 }",
    ])
    func secretIsNeverShown(_ yaml: String) {
        let result = decode(manifest("portal:\n  \(yaml)\n"))
        #expect(result.manifest == nil && !result.diagnostics.isEmpty)
        #expect(!result.allText.contains("hunter22"), "\(result.allText)")
    }
}
