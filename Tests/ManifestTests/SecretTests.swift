import Basics
import Glibc
import Manifest
import TestSupport
import Testing

@Suite struct SecretTests {
    private func auth(_ yaml: String) -> ManifestResult { decode(manifest("portal:\n  auth: \(yaml)\n")) }

    @Test func everyForm() {
        #expect(auth("none").manifest?.portal.auth == Authentication.none)
        #expect(auth("{ apiKey: { env: KEY } }").manifest?.portal.auth == .apiKey(.environment("KEY")))
        #expect(auth("{ token: { credential: t } }").manifest?.portal.auth == .token(.credential("t")))
        #expect(
            auth("{ oauth: { clientID: c, clientSecret: { file: /s } } }").manifest?.portal.auth
                == .oauth(clientID: "c", clientSecret: .file("/s")))
        #expect(
            auth("{ user: { name: u, password: { command: [pass, show, a b] } } }").manifest?.portal.auth
                == .user(name: "u", password: .command(["pass", "show", "a b"])))
        #expect(
            auth("{ token: { env: T }, referer: https://maps.example.com }").manifest?.portal.auth
                == .token(.environment("T"), referer: "https://maps.example.com"))
        #expect(auth("{ token: { command: bin/t } }").manifest?.portal.auth == .token(.command(["/m/bin/t"])))
    }

    @Test func literalSecret() {
        let result = auth("{ apiKey: hunter22 }")
        #expect(
            result.allText == """
                /m/x.yaml:8:19: error: a literal secret does not belong in a file
                  8 |   auth: { apiKey: ******** }
                    |                   ^~~~~~~~
                  hint: say where `apiKey` is to be had: `{ env: NAME }`, `{ file: PATH }`, `{ credential: NAME }` or `{ command: [...] }`
                """)
    }

    /// Whatever is wrong beside it, a secret that was written out is in no message, hint or excerpt.
    @Test(arguments: [
        "{ apiKey: hunter22 }", "{ apiKey: hunter22, bogus: 1 }", "{ user: { name: u, password: hunter22 } }", "hunter22",
        "{ user: { name: u, pasword: hunter22 } }", "{ apikey: hunter22 }", "{ apiKey: { value: hunter22 } }", "[hunter22]",
        "{ apiKey: [hunter22] }", "{ apiKey: { env: \"hunter22!\" } }", "{ apiKey: { command: \"echo hunter22\" } }",
        "{ oauth: { clientID: [hunter22], clientSecret: 'hunter22' } }", "{ apiKey: |\n    hunter22\n  }",
        "{ apiKey: { hunter22 } }",
        "{ apiKey: { hunter22: x } }", "{ password: hunter22 }", "{ apiKey: hunter22", "{ apiKey: &k hunter22, token: *k }",
        "{ apiKey: \"hunter22\\n\" }", "{ apiKey: { env: A }, apiKey: hunter22 }", "{ apiKey: hunter22 }\n  token: hunter22",
        "{ token: hunter22 }\n  url: https://me:hunter22@h", "{ apiKey: !x hunter22 }",
    ])
    func secretIsNeverShown(_ yaml: String) {
        let result = auth(yaml)
        #expect(result.manifest == nil && !result.diagnostics.isEmpty)
        #expect(!result.allText.contains("hunter22"), "\(result.allText)")
    }

    @Test func secretAtAnotherPlaceIsHiddenToo() {
        let result = decode(manifest("apiKey: hunter22\n"))
        #expect(result.summary == ["7:1 unknown key `apiKey`"])
        #expect(!result.allText.contains("hunter22"))
    }

    // MARK: Resolution

    private func reason(_ reference: SecretReference, _ environment: [String: String] = [:]) async -> SecretError.Reason? {
        do throws(SecretError) {
            _ = try await reference.resolve(environment: environment)
            return nil
        } catch {
            return error.reference == reference ? error.reason : nil
        }
    }

    @Test func environment() async throws {
        #expect(try await SecretReference.environment("K").resolve(environment: ["K": "v"]).reveal() == "v")
        #expect(await reason(.environment("K")) == .notSet(variable: "K"))
        #expect(await reason(.environment("K"), ["K": ""]) == .empty)
    }

    @Test func file() async throws {
        let folder = try TemporaryFolder()
        func write(_ name: String, _ text: String, mode: mode_t) throws -> SecretReference {
            try Files.writeAtomically(Array(text.utf8), to: folder.file(name), mode: mode)
            chmod(folder.file(name), mode)
            return .file(folder.file(name))
        }
        #expect(try await write("a", "va lue\n", mode: 0o600).resolve(environment: [:]).reveal() == "va lue")
        #expect(try await write("b", "v\r\n", mode: 0o400).resolve(environment: [:]).reveal() == "v")
        #expect(await reason(try write("c", "v", mode: 0o640)) == .openToOthers(mode: 0o640))
        #expect(await reason(try write("d", "v", mode: 0o604)) == .openToOthers(mode: 0o604))
        #expect(await reason(try write("e", "\n", mode: 0o600)) == .empty)
        #expect(await reason(try write("f", "a\0b", mode: 0o600)) == .notText)
        #expect(await reason(try write("g", String(repeating: "x", count: 70_000), mode: 0o600)) == .tooLong)
        #expect(
            await reason(.file(folder.file("no")))
                == .unreadable(SystemError(call: "open", path: folder.file("no"), code: ENOENT)))
        #expect(await reason(.file(folder.path)) == .unreadable(SystemError(call: "open", path: folder.path, code: EISDIR)))
    }

    @Test func credential() async throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array("v\n".utf8), to: folder.file("s"))
        let secret = try await SecretReference.credential("s").resolve(environment: ["CREDENTIALS_DIRECTORY": folder.path])
        #expect(secret.reveal() == "v")
        #expect(await reason(.credential("s")) == .notSet(variable: "CREDENTIALS_DIRECTORY"))
    }

    @Test func command() async throws {
        let path = ["PATH": "/usr/bin:/bin", "MORE": "x"]
        #expect(try await SecretReference.command(["echo", "a b"]).resolve(environment: path).reveal() == "a b")
        #expect(
            try await SecretReference.command(["/bin/sh", "-c", "echo noise >&2; printf $MORE"]).resolve(environment: path)
                .reveal() == "x")
        #expect(await reason(.command(["/bin/sh", "-c", "echo hunter22; exit 3"]), path) == .commandFailed(status: 3))
        #expect(await reason(.command(["/bin/sh", "-c", "kill -9 $$"]), path) == .commandFailed(status: 137))
        #expect(
            await reason(.command(["/no/such"]), path)
                == .commandNotStarted(SystemError(call: "posix_spawn", path: "/no/such", code: ENOENT)))
        #expect(await reason(.command(["true"]), path) == .empty)
        #expect("\(SecretReference.command(["pass", "hunter22"]))" == "command pass")
    }
}
