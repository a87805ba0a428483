import Manifest
import Testing

@Suite struct NotifyTests {
    @Test func nobodyIsToldUnlessAsked() throws {
        #expect(try #require(decode(manifest()).manifest).notify == NotifySettings())
        #expect(NotifySettings().timeout == .seconds(10) && NotifySettings().ci.usesGitHub)
    }

    @Test func pathsBeginAtTheManifestAndSecretsStayReferences() throws {
        let text = """
            notify:
              timeout: 30 s
              metrics: { textfile: night.prom }
              ping: { url: { env: PING_URL } }
              webhook: { url: https://hooks.example.org/maps, secret: { file: hook.key }, when: problems }
              mail: { to: [a@example.org], from: maps@example.org }
              ci: { summary: out/summary.md, codeQuality: /q.json, github: false }

            """
        let notify = try #require(decode(manifest(text)).manifest).notify
        #expect(notify.timeout == .seconds(30))
        #expect(notify.metrics == "/m/night.prom")
        #expect(notify.ping == .secret(.environment("PING_URL")))
        #expect(
            notify.webhook
                == WebhookSettings(url: .url("https://hooks.example.org/maps"), secret: .file("/m/hook.key"), occasion: .problems)
        )
        #expect(notify.mail == MailSettings(to: ["a@example.org"], from: "maps@example.org"))
        #expect(notify.mail?.sendmail == "/usr/sbin/sendmail" && notify.mail?.occasion == .problems)
        #expect(notify.ci.summary == "/m/out/summary.md" && notify.ci.codeQuality == "/q.json" && !notify.ci.usesGitHub)
    }

    @Test func aSecretWrittenOutIsRefusedAndNotRepeated() {
        let result = decode(manifest("notify: { webhook: { url: https://h/p, secret: hunter2 } }\n"))
        #expect(result.manifest == nil && result.allText.contains("a literal secret does not belong in a file"))
        let address = decode(manifest("notify: { ping: { url: https://user:hunter2@h/p } }\n"))
        #expect(address.manifest == nil && address.allText.contains("`url` must be"))
        #expect(!(result.allText + address.allText).contains("hunter2"))
    }
}
