import Basics
import Foundation
import Geography
import Manifest
import Planning
import TestSupport
import Testing

@testable import Reporting

@Suite struct NewsTests {
    private static let bad = Night.withChanges(areas: 4, failing: 2)
    private static func news(_ report: RunReport) -> NewsText {
        NewsText(report: report, zone: .gmt, reportPath: "/out/report.json")
    }

    @Test("The text has the verdict, the reasons with a next step, the areas, and where the report is")
    func text() {
        let text = Self.news(Self.bad).lines.joined(separator: "\n")
        #expect(
            text.hasPrefix(
                "2 of 4 areas have a new map; 2 keep their last good map, the oldest 47 h 37\nm old.\npartial (exit 2): "))
        #expect(text.contains("\n1. Hydrant, Water mains in riverwalk, harbour\n"))
        #expect(
            text.contains("   Next: Ask the service's owner to enable Sync on it, or exclude the layer in\n   the manifest.\n"))
        #expect(text.contains("\n◷ riverwalk    last good map, 47 h 37 m old\n"))
        #expect(text.contains("\n✓ downtown     new map"))
        #expect(text.hasSuffix("Report: /out/report.json\nPage:   /out/report.html"))
        #expect(!Self.news(Night.report(areas: 500, failing: 10)).lines.contains { $0.contains("district-499") })
    }

    // MARK: - Ping

    @Test("/start, the address itself, /fail; a query stays behind")
    func ping() {
        #expect(Ping.start("https://h/abc").url == "https://h/abc/start")
        #expect(Ping.start("https://h/abc/?rid=1").url == "https://h/abc/start?rid=1")
        let good = Ping.end("https://h/abc", Self.news(Night.report(areas: 1)))
        #expect(good.url == "https://h/abc" && good.body.hasPrefix("downtown has a new map.\n"))
        let bad = Ping.end("https://h/abc", Self.news(Self.bad))
        #expect(bad.url == "https://h/abc/fail" && bad.body.hasPrefix("exit code 2\n2 of 4 areas"))
    }

    // MARK: - Webhook

    @Test(
        "Python's hmac accepts the signature of Standard Webhooks, with a plain key and with a whsec_ one",
        .enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func webhook() throws {
        for (secret, key) in [("hunter2", "b'hunter2'"), ("whsec_c2VjcmV0IGtleQ==", "b'secret key'")] {
            let call = Webhook(Self.bad, secret: Secret(secret), now: Night.started + 500)
            let headers = Dictionary(call.headers.map { ($0.name, $0.value) }) { first, _ in first }
            #expect(headers["webhook-timestamp"] == "1796004500")
            let verdict = try PythonJudge.run(
                """
                import base64, hashlib, hmac, json, sys
                id, stamp, signature, body = sys.argv[1:]
                digest = hmac.new(\(key), f"{id}.{stamp}.{body}".encode(), hashlib.sha256).digest()
                assert signature == "v1," + base64.b64encode(digest).decode()
                assert json.loads(body)["data"]["exitCode"] == 2
                """,
                [headers["webhook-id"] ?? "", headers["webhook-timestamp"] ?? "", headers["webhook-signature"] ?? "", call.body])
            #expect(verdict.status == 0, "\(verdict.errors)")
            #expect(!call.body.contains("hunter2"))
        }
        let (first, second) = (
            Webhook(Self.bad, secret: Secret("a"), now: Night.started), Webhook(Self.bad, secret: Secret("b"), now: Night.started)
        )
        #expect(first.headers[1].value == second.headers[1].value && first.headers[3].value != second.headers[3].value)
    }

    @Test("The body counts the good areas and names the others")
    func webhookBody() {
        let data = Webhook.json(Self.bad)["data"]
        #expect(
            data?["areas"] == [
                "total": 4, "new": 2, "unchanged": 0, "partial": [], "stale": [], "kept": ["riverwalk", "harbour"], "missing": [],
            ])
        #expect(data?["problems"]?[0]?["next"]?.string?.hasPrefix("Ask the service's owner") == true)
        // Two areas and the two layers of each.
        #expect(data?["changes"]?["newlyFailing"] == 6 && data?["changes"]?["rows"] == 13)
    }

    // MARK: - Mail

    @Test(
        "Python's mail parser reads sender, readers, subject and text as they were, whatever the manifest is called",
        .enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func mail() throws {
        var report = Self.bad
        report.name = "Wässer\r\nBcc: evil@example.org"
        let news = Self.news(report)
        let mail = MailText(
            from: "maps@example.org", to: ["a@example.org", "b@example.org"], news: news, date: Night.started)
        #expect(!mail.message.contains("\nBcc"))
        #expect(mail.message.split(separator: "\n").allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { $0 < 128 } })
        let folder = try TemporaryFolder()
        try Files.writeAtomically(mail.message.utf8, to: folder.file("mail"))
        let verdict = try PythonJudge.run(
            """
            import email, email.policy, sys
            mail = email.message_from_bytes(open(sys.argv[1], "rb").read(), policy=email.policy.default)
            assert not mail.defects, mail.defects
            print(mail["From"], "|", mail["To"], "|", mail["Subject"], "|", mail["Date"].datetime.isoformat(), "|", mail["Bcc"])
            print(mail.get_content().replace("\\r\\n", "\\n"), end="")
            """, [folder.file("mail")])
        let lines = verdict.output.split(separator: "\n", maxSplits: 1)
        #expect(
            lines.first == "maps@example.org | a@example.org, b@example.org | \(news.subject) | 2026-11-30T02:00:00+00:00 | None",
            "\(verdict.errors)")
        #expect(lines.last.map(String.init) == news.lines.joined(separator: "\n") + "\n")
    }

    @Test func mailDates() {
        // 2000-02-29 was a Tuesday.
        #expect(MailText.date(Date(timeIntervalSince1970: 951_782_400)) == "Tue, 29 Feb 2000 00:00:00 +0000")
        #expect(MailText.encoded("plain words") == "plain words")
        #expect(MailText.encoded("é") == "=?utf-8?B?w6k=?=")
    }

    // MARK: - Metrics

    @Test(
        "Prometheus' own Python client parses the metrics, whatever the areas are called",
        .enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func metrics() throws {
        var report = Night.report(areas: 4, failing: 2, missing: 2)
        report.name = "wat\"\u{301}er\\\n{x}"
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Metrics.text(report).utf8, to: folder.file("x.prom"))
        let verdict = try PythonJudge.run(
            """
            import sys
            from prometheus_client.parser import text_string_to_metric_families
            for family in text_string_to_metric_families(open(sys.argv[1]).read()):
                assert family.type == "gauge" and family.documentation, family
                for sample in family.samples:
                    assert sample.labels.pop("manifest") == 'wat"\\u0301er\\\\ {x}', sample
                    print(sample.name, *sample.labels.values(), int(sample.value))
            """, [folder.file("x.prom")])
        let lines = Set(verdict.output.split(separator: "\n").map(String.init))
        #expect(verdict.status == 0, "\(verdict.errors)")
        for line in [
            "offline_batch_run_success 0", "offline_batch_run_exit_code 2",
            "offline_batch_run_start_timestamp_seconds 1796004000",
            // Four areas with four jobs; the two failed ones each lose a replica, a package and a publication.
            "offline_batch_jobs failed 2", "offline_batch_jobs skipped 4", "offline_batch_jobs done 10",
            // Tiles of four areas and replicas of two.
            "offline_batch_fetched_bytes 91400000", "offline_batch_area_success downtown 1",
            "offline_batch_area_success riverwalk 0",
            "offline_batch_area_failed_layers riverwalk 2", "offline_batch_area_failed_layers downtown 0",
        ] { #expect(lines.contains(line), "\(line)") }
        // The area without a map has no time of one.
        #expect(!lines.contains { $0.hasPrefix("offline_batch_area_last_success_timestamp_seconds harbour") })
        #expect(lines.count { $0.hasPrefix("offline_batch_area_last_success_timestamp_seconds") } == 3)
    }

    // MARK: - Pipelines

    @Test func markdownStaysMarkdown() {
        #expect(
            MarkdownSummary.escaped("a|b *c* <img> [x](y) `z` @me\n# no") == ##"a\|b \*c\* \<img\> \[x\]\(y\) \`z\` \@me \# no"##)
        #expect(MarkdownSummary.escaped("<\u{301}b>|\u{301}") == "\\<\u{301}b\\>\\|\u{301}")
        let text = MarkdownSummary(report: Self.bad, zone: .gmt).text
        #expect(text.hasPrefix("## ◷ 2 of 4 areas have a new map; 2 keep their last good map, the oldest 47 h 37 m old.\n"))
        #expect(text.contains("\n| riverwalk | ◷ last good map | 47 h 37 m | 25.5 MB | 2 |\n"))
        #expect(text.contains("\n1. **Ask the service's owner to enable Sync on it, or exclude the layer in the manifest.**  \n"))
    }

    private static let manifest = Manifest(
        name: "naperville-water", path: "maps/water.yaml", portal: PortalSettings(), webMap: .item("a"),
        areas: [
            AreaSource(
                id: "riverwalk", place: .shape(.envelope(Envelope(xmin: 0, ymin: 0, xmax: 1, ymax: 1)), .wgs84),
                origin: "maps/water.yaml:9:5")
        ], output: OutputSettings(directory: "out"))

    @Test("Annotations stand at the line of the first area that failed, and at the entry that a problem names")
    func github() {
        let lines = Annotations(report: Self.bad, manifest: Self.manifest).github
        #expect(
            lines == [
                "::error file=maps/water.yaml,line=9,col=5,title=Hydrant%2C Water mains in riverwalk%2C harbour::"
                    + "asking for the export: 500 Unable to create replica. Please check your parameters.%0ALayer 4 is not sync enabled."
                    + "%0ANext: Ask the service's owner to enable Sync on it, or exclude the layer in the manifest."
            ])
        var refused = RunReport(name: "n", outcome: .refused, started: Night.started, finished: Night.started)
        refused.problems = [
            PlanProblem(
                origin: "C:/a:b.yaml:3:7", failure: Failure(phase: .plan, kind: .permanent, message: "100% wrong\n::error::x"))
        ]
        let wrong = Annotations(report: refused, manifest: Self.manifest).github
        #expect(wrong.count == 1 && wrong[0].hasPrefix("::error file=C%3A/a%3Ab.yaml,line=3,col=7,title=n::"))
        #expect(wrong[0].contains("100%25 wrong ::error::x") && !wrong[0].contains("\n"))
        #expect(Annotations(report: Night.report(areas: 2), manifest: Self.manifest).github.isEmpty)
    }

    @Test func codeQuality() throws {
        let issues = try #require(try JSON.parse(Annotations(report: Self.bad, manifest: Self.manifest).codeQuality).array)
        #expect(issues.count == 1)
        #expect(issues[0]["location"] == ["path": "maps/water.yaml", "lines": ["begin": 9]])
        #expect(issues[0]["fingerprint"]?.string?.count == 64 && issues[0]["severity"] == "major")
        #expect(issues[0]["description"]?.string?.contains("Next: Ask") == true)
    }

    /// Trojan source (CVE-2021-42574), in the words of servers, maps and data.
    @Test("No mark of others turns a line, and words from right to left stay readable")
    func directions() throws {
        let evil = "מים\u{202E}\u{2066}\u{2069}\u{200F}\u{61C}"
        var report = Self.bad
        report.name = evil + " name"
        for index in report.areas.indices { report.areas[index].id = evil + " area \(index)" }
        for index in report.jobs.indices {
            report.jobs[index].area = evil + " area"
            report.jobs[index].layers = [LayerLabel(id: "1", title: evil + " title")]
            report.jobs[index].error?.message = evil + " message"
            report.jobs[index].error?.details = [evil + " detail"]
        }
        report.notes = [evil + " note"]
        let news = Self.news(report)
        let annotations = Annotations(report: report, manifest: Self.manifest)
        let finding = LintFinding(
            rule: "OB012 no-global-id", layer: LayerLabel(id: "1", title: evil + " title"), reason: evil + " reason",
            origin: "maps/water.yaml:1:1", suppressed: evil + " accepted")
        func strings(_ json: JSON) -> [String] {
            switch json {
            case .string(let text): [text]
            case .array(let items): items.flatMap(strings)
            case .object(let object): object.members.flatMap { [$0.key] + strings($0.value) }
            default: []
            }
        }
        let texts: [(name: String, text: String, isolates: Bool)] = [
            ("mail", news.lines.joined(separator: "\n"), true), ("subject", news.subject, true),
            ("markdown", MarkdownSummary(report: report, zone: .gmt).text, true),
            ("github", annotations.github.joined(separator: "\n"), true),
            ("gitlab", strings(try JSON.parse(annotations.codeQuality)).joined(separator: "\n"), true),
            ("sarif", strings(LintSARIF.json([finding], version: "1")).joined(separator: "\n"), true),
            ("page", MorningPage(report: report, zone: .gmt).html, true),
            // For programs: names as they are, or none of these marks.
            ("metrics", Metrics.text(report), false), ("report.json", ReportWriter.json(report).serialized(.indented), false),
            ("lint --json", LintJSON.json([finding]).serialized(), false),
        ]
        for (name, text, isolates) in texts {
            var open = 0
            for scalar in text.unicodeScalars where scalar.properties.isBidiControl {
                open += scalar == "\u{2068}" ? 1 : scalar == "\u{2069}" ? -1 : 1000
                #expect((0...1).contains(open), "\(name)")
            }
            #expect(open == 0 && text.contains("מים"), "\(name)")
            #expect(text.contains("\u{2068}מים") == isolates, "\(name)")
        }
        let verdict = Webhook.json(report)["data"]?["problems"]?[0]?["layers"]?[0]?.string
        #expect(verdict == "\u{2068}מים title\u{2069}")
    }

    @Test("No secret reaches anybody who is told")
    func secrets() {
        var report = Samples.report
        let failure = Failure(
            phase: .download, kind: .permanent, code: 498, message: "GET https://h/f?token=\(Samples.secret)",
            details: ["Authorization: Bearer \(Samples.secret)"])
        report.jobs[2].error = failure
        report.error = failure
        let annotations = Annotations(report: report, manifest: Self.manifest)
        let texts = [
            Self.news(report).lines.joined(), Ping.end("https://h", Self.news(report)).body, Webhook.json(report).serialized(),
            MarkdownSummary(report: report, zone: .gmt).text, annotations.github.joined(), annotations.codeQuality,
            Metrics.text(report),
        ]
        for text in texts { #expect(!text.contains(Samples.secret)) }
        #expect(texts[0].contains("Next: "))
    }
}
