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
                  tls: { caFile: certs/ca.pem, clientCertificate: /etc/me.pem, clientKey: me.key }
                  proxy: { url: "http://proxy:3128", noProxy: [localhost, .example.org] }
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
                        caFile: "/m/certs/ca.pem", clientCertificate: "/etc/me.pem", clientKey: "/m/me.key"),
                    proxy: ProxySettings(url: "http://proxy:3128", noProxy: ["localhost", ".example.org"]),
                    webAuth: .ntlm(name: "EXAMPLE\\u", password: .credential("c"))))
        #expect(decode(manifest("portal: { webAuth: negotiate }\n")).manifest?.portal.connection.webAuth == .negotiate)
        #expect(decode(manifest("")).manifest?.portal.connection == ConnectionSettings())
    }

    @Test(arguments: [
        "servers: [{ url: https://h/s, auth: { user: { name: u, password: hunter22 } } }]",
        "servers: [{ url: https://h/s, auth: hunter22 }]", "webAuth: { ntlm: { name: u, password: hunter22 } }",
        "webAuth: hunter22", "webAuth: { ntlm: hunter22 }", "servers: [{ url: https://h/s, auth: { token: hunter22 } }]",
        "proxy: { url: http://me:hunter22@p }",
    ])
    func secretIsNeverShown(_ yaml: String) {
        let result = decode(manifest("portal:\n  \(yaml)\n"))
        #expect(result.manifest == nil && !result.diagnostics.isEmpty)
        #expect(!result.allText.contains("hunter22"), "\(result.allText)")
    }
}
