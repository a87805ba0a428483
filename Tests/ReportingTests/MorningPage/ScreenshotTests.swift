import Basics
import Foundation
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
            ] as [(String, Int, [String])] where name != "one-area" || screen == "desktop" {
                let picture = Paths.join(Self.output, "\(name)-\(screen).png")
                try? Files.remove(picture)
                let height = screen == "phone" ? 4600 : name == "many-areas" ? 4000 : 2600
                let verdict = try Self.chromium(
                    flags + ["--window-size=\(width),\(height)", "--screenshot=\(picture)", "file://" + page])
                #expect(Files.exists(picture), "\(verdict.errors)")
                #expect((try? Files.size(picture)) ?? 0 > 20_000, "\(name) \(screen) looks empty")
            }
            let paper = Paths.join(Self.output, "\(name)-print.pdf")
            try? Files.remove(paper)
            let verdict = try Self.chromium(["--no-pdf-header-footer", "--print-to-pdf=\(paper)", "file://" + page])
            #expect((try? Files.read(paper))?.starts(with: "%PDF".utf8) == true, "\(name): \(verdict.errors)")
        }
    }

    @Test(
        "No part of the page sticks out on a phone, and the browser complains about nothing",
        .enabled(if: browser != nil, Comment(rawValue: skipReason)))
    func phoneWidth() throws {
        let folder = try TemporaryFolder()
        let policy = "default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"
        let html = MorningPage(report: Night.withChanges(areas: 4, failing: 2), zone: .gmt).html
        #expect(html.contains(policy))
        // A frame as wide as a phone; the measuring script is the test's, so the policy is opened for this copy.
        let open = html.replacing(policy, with: "")
        try Files.writeAtomically(open.utf8, to: folder.file("page.html"))
        let probe = """
            <iframe src="page.html" style="width: 375px; height: 800px; border: 0"></iframe>
            <script>
            onload = () => {
              const page = document.querySelector("iframe").contentDocument
              const wide = [...page.querySelectorAll("body *")].filter(e => !e.closest("svg, .wide, .overview > h2, thead")
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
