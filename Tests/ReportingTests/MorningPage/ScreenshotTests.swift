import Basics
import Foundation
import Planning
import TestSupport
import Testing

@testable import Reporting

/// The page in a real browser. Pictures go to `$OFFLINE_BATCH_TEST_OUTPUT`, else to `.build/test-output/morning-page`.
@Suite(.serialized) struct ScreenshotTests {
    static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first(where: Files.exists)
    static let skipReason = "needs Chromium: `make setup` installs it"

    private static let output = Paths.join(
        ProcessInfo.processInfo.environment["OFFLINE_BATCH_TEST_OUTPUT"] ?? SharedFiles.packageRoot + "/.build/test-output",
        "morning-page")

    private static let nights = [
        ("one-area", Night.report(areas: 1)), ("four-areas", Night.withChanges(areas: 4, failing: 2)),
        ("many-areas", Night.withChanges(areas: 500, failing: 40)), ("losses", Night.losses()),
        ("names", Night.names()), ("all-failed", Night.report(areas: 4, failing: 1, missing: 1)),
        (
            "no-areas",
            RunReport(
                name: "naperville-water", outcome: .denied, started: Night.started, finished: Night.started + 2,
                error: Night.failure)
        ),
    ]

    @Test(
        "Chromium draws the page on a desktop, on a phone, in the dark and on paper",
        .enabled(if: browser != nil, Comment(rawValue: skipReason)))
    func pictures() throws {
        try Files.makeDirectory(Self.output)
        for (name, report) in Self.nights {
            let page = Paths.join(Self.output, name + ".html")
            let html = MorningPage(report: report, zone: .gmt).html
            try ReportWriter.write(html, to: page)
            for (screen, width, flags) in [
                ("desktop", 1280, []), ("phone", 500, []), ("dark", 1280, ["--blink-settings=preferredColorScheme=0"]),
            ] as [(String, Int, [String])] where !["one-area", "no-areas"].contains(name) || screen == "desktop" {
                let picture = Paths.join(Self.output, "\(name)-\(screen).png")
                try? Files.remove(picture)
                let height = screen == "phone" ? 4600 : name == "many-areas" ? 4000 : 2600
                let verdict = try Self.chromium(
                    flags + ["--window-size=\(width),\(height)", "--screenshot=\(picture)", "file://" + page])
                #expect(Files.exists(picture), "\(verdict.errors)")
                #expect((try? Files.size(picture)) ?? 0 > 15_000, "\(name) \(screen) looks empty")
            }
            let paper = Paths.join(Self.output, "\(name)-print.pdf")
            try? Files.remove(paper)
            let verdict = try Self.chromium(["--no-pdf-header-footer", "--print-to-pdf=\(paper)", "file://" + page])
            let document = (try? Files.read(paper)) ?? []
            #expect(document.starts(with: "%PDF".utf8), "\(name): \(verdict.errors)")
            // What is folded on a screen is on paper: a line an area, forty a page.
            if name == "many-areas" {
                let pages = String(decoding: document, as: UTF8.self).matches(of: /\/Type \/Page\n/).count
                #expect((12...30).contains(pages), "\(pages) pages")
            }
        }
    }

    @Test(
        "No part of the page sticks out on a phone, whatever things are called",
        .enabled(if: browser != nil, Comment(rawValue: skipReason)),
        arguments: [Night.withChanges(areas: 4, failing: 2), Night.names()])
    func phoneWidth(_ night: RunReport) throws {
        let folder = try TemporaryFolder()
        let policy = "default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"
        let html = MorningPage(report: night, zone: .gmt).html
        #expect(html.contains(policy))
        // A frame as wide as a phone; the measuring script is the test's, so the policy is opened for this copy.
        let open = html.replacing(policy, with: "")
        try Files.writeAtomically(open.utf8, to: folder.file("page.html"))
        let probe = """
            <iframe src="page.html" style="width: 375px; height: 800px; border: 0"></iframe>
            <script>
            onload = () => {
              const page = document.querySelector("iframe").contentDocument
              const wide = [...page.querySelectorAll("body *")].filter(e => !e.closest(".map svg, .wide, .overview > h2, thead")
                && e.getBoundingClientRect().right > 376).map(e => e.tagName + "." + e.className)
              document.title = "width " + page.documentElement.scrollWidth + " " + [...new Set(wide)].join(" ")
            }
            </script>
            """
        try Files.writeAtomically(probe.utf8, to: folder.file("probe.html"))
        let verdict = try Self.chromium(
            ["--allow-file-access-from-files", "--virtual-time-budget=2000", "--dump-dom", "file://" + folder.file("probe.html")])
        let title = verdict.output.firstMatch(of: /<title>([^<]*)<\/title>/).map { String($0.1) }
        #expect(title?.trimmingCharacters(in: .whitespaces) == "width 375", "\(title ?? verdict.errors)")
    }

    @Test(
        "The first look at a night of 500 areas is short: what is as it should be is folded",
        .enabled(if: browser != nil, Comment(rawValue: skipReason)))
    func foldedLength() throws {
        let folder = try TemporaryFolder()
        let html = MorningPage(report: Night.withChanges(areas: 500, failing: 40), zone: .gmt).html
        let open = html.replacing("default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;", with: "")
        // 137,000 pixels, and 331,000 on a phone, when nothing is folded.
        let script = "<script>onload = () => { document.title = 'height ' + document.documentElement.scrollHeight }</script>"
        try Files.writeAtomically(open.replacing("</body>", with: script + "</body>").utf8, to: folder.file("page.html"))
        let verdict = try Self.chromium(["--virtual-time-budget=2000", "--dump-dom", "file://" + folder.file("page.html")])
        let height = verdict.output.firstMatch(of: /<title>height (\d+)<\/title>/).flatMap { Int($0.1) } ?? .max
        #expect(height < 10_000, "\(height)")
    }

    private static func chromium(_ arguments: [String]) throws -> PythonJudge.Verdict {
        let profile = try TemporaryFolder()
        return try Command.run(
            browser ?? "",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                "--user-data-dir=\(profile.path)",
            ] + arguments)
    }
}
