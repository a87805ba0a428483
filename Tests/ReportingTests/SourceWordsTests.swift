import ArcGIS
import Manifest
import Testing
import Transport

@testable import Reporting

@Suite struct SourceWordsTests {
    @Test("A secret that cannot be had is named by its reference and with what to do")
    func secrets() {
        #expect(
            Wording.words(for: SecretError(reference: .environment("KEY"), reason: .notSet(variable: "KEY")))
                == "environment variable KEY: it is not set")
        #expect(
            Wording.words(for: SecretError(reference: .credential("key"), reason: .notSet(variable: "CREDENTIALS_DIRECTORY")))
                == "credential key: CREDENTIALS_DIRECTORY is not set, as it is by systemd for a unit with LoadCredential=")
        #expect(
            Wording.words(for: SecretError(reference: .file("/etc/token"), reason: .openToOthers(mode: 0o644)))
                == "file /etc/token: others can read it (mode 644); close it with `chmod 600`")
    }

    @Test("What is no web map is told from what it is")
    func maps() {
        #expect(
            Wording.words(for: WebMapError.notAWebMap(members: ["a", "b"])) == "it is JSON, but no web map: it has only a, b")
        #expect(Wording.words(for: WebMapError.notAWebMap(members: [])) == "it is JSON, but no web map: it has no members")
        #expect(Wording.words(for: WebMapError.item(id: "abc", type: "Web Map")).contains("items/abc/data"))
    }
}

@Suite struct RetryWordsTests {
    @Test("A try that is repeated is said with its reason and its time")
    func words() {
        func words(_ result: RetryPolicy.Result) -> String {
            Wording.words(
                for: RetryNotice(method: .get, url: "https://h/rest", attempt: 1, result: result, delay: .milliseconds(1_500)))
        }
        #expect(words(.failure(.connect)) == "https://h/rest: no connection; again in 1.5 s")
        #expect(words(.status(503, retryAfter: nil)) == "https://h/rest: HTTP 503; again in 1.5 s")
        #expect(words(.failure(.other)) == "https://h/rest: the network failed (other); again in 1.5 s")
    }
}
