import Basics
import Foundation
import Planning
import TestSupport
import Testing

@testable import Reporting

/// The page as Python's own HTML parser reads it.
@Suite struct PageJudgeTests {
    /// Prints one line for each thing that must not be: whatever the parser sees counts, not what the text looks like.
    private static let judge = """
        import sys
        from html.parser import HTMLParser
        VOID = {"meta", "br", "hr"}
        class Judge(HTMLParser):
            def __init__(self):
                super().__init__(convert_charrefs=True)
                self.open, self.headings, self.ids, self.labels, self.text, self.regions = [], [], [], [], [], [None]
                self.tables, self.rows = 0, []
            def handle_starttag(self, tag, attrs):
                attrs = dict(attrs)
                allowed = set("html head meta title style body header main section footer h1 h2 h3 p span strong bdi br ol ul li dl dt dd "
                    "div details summary table caption thead tbody tr th td code time figure figcaption svg desc defs pattern g path rect circle line text".split())
                if tag not in allowed: print("element", tag)
                for name, value in attrs.items():
                    if name in ("href", "src", "srcset", "action", "style") or name.startswith("on") or "xlink" in name:
                        print("attribute", tag, name)
                    if "url(" in value and "url(#" not in value: print("url", value)
                if "id" in attrs:
                    if attrs["id"] in self.ids: print("id twice", attrs["id"])
                    self.ids.append(attrs["id"])
                self.labels += attrs.get("aria-labelledby", "").split()
                name = attrs.get("aria-labelledby", attrs.get("aria-label"))
                if tag == "section" or attrs.get("role") == "region":
                    if name in self.regions: print("region's name twice or never", name)
                    self.regions.append(name)
                if tag in ("h1", "h2", "h3"): self.headings.append(int(tag[1]))
                if tag == "table": self.caption = False
                if tag == "caption": self.caption = True
                if tag == "thead" and not self.caption: print("table without caption")
                if tag == "th" and attrs.get("scope") not in ("col", "row", "rowgroup"): print("th without scope")
                if tag == "tr": self.cells, self.head = 0, False
                if tag in ("td", "th"):
                    self.cells += int(attrs.get("colspan", "1"))
                    self.head = self.head or tag == "th"
                if tag == "svg" and (attrs.get("role") != "img" or "aria-labelledby" not in attrs): print("svg without a name")
                if tag not in VOID: self.open.append(tag)
            def handle_endtag(self, tag):
                if not self.open or self.open.pop() != tag: print("end", tag)
                if tag == "tr":
                    if not self.head: print("row without a header cell")
                    self.rows.append(self.cells)
                if tag == "table":
                    if len(set(self.rows)) != 1: print("rows of different length", set(self.rows))
                    self.rows = []
            def handle_data(self, data): self.text.append(data)
        judge = Judge()
        source = open(sys.argv[1], encoding="utf-8").read()
        judge.feed(source)
        judge.close()
        if judge.open: print("left open", judge.open)
        if judge.headings[:1] != [1] or judge.headings.count(1) != 1: print("h1", judge.headings)
        for before, after in zip(judge.headings, judge.headings[1:]):
            if after > before + 1: print("heading skipped", judge.headings)
        for label in judge.labels:
            if label not in judge.ids: print("label without target", label)
        for word in ("http://", "https://", "@import", "<script", "<link", "<img"):
            if word in source: print("found", word)
        for word in sys.argv[2:]:
            if word not in " ".join("".join(judge.text).split()): print("text missing", word)
        """

    private func verdict(_ report: RunReport, texts: [String] = []) throws -> String {
        let folder = try TemporaryFolder()
        let path = folder.file("report.html")
        try ReportWriter.write(MorningPage(report: report, zone: .gmt).html, to: path)
        let verdict = try PythonJudge.run(Self.judge, [path] + texts)
        return verdict.output + verdict.errors
    }

    @Test(
        "The page is sound: one h1, headings in order, named tables with header cells, nothing from outside",
        .enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func sound() throws {
        #expect(try verdict(Night.report(areas: 1), texts: ["downtown has a new map.", "World Street Map", "21.4 MB"]) == "")
        #expect(try verdict(Night.withChanges(areas: 4, failing: 2), texts: ["Fails now", "Good again", "+13"]) == "")
        #expect(try verdict(Night.report(areas: 500, failing: 20, missing: 3), texts: ["district-500"]) == "")
    }

    @Test(
        "A night without areas, jobs or plan has a page, too, whatever its outcome", arguments: Outcome.allCases)
    func bare(outcome: Outcome) throws {
        guard PythonJudge.isAvailable else { return }
        var report = RunReport(
            name: "water", outcome: outcome, started: Night.started, finished: Night.started + 3,
            error: outcome == .ok ? nil : Failure(phase: .plan, kind: .permanent, message: "the words of the failure"))
        report.problems = [
            PlanProblem(origin: "m.yaml:9:5", failure: Failure(phase: .plan, kind: .permanent, message: "a problem"))
        ]
        #expect(try verdict(report, texts: ["\(outcome.rawValue) (exit \(outcome.exitCode))", "a problem", "m.yaml:9:5"]) == "")
    }

    @Test(
        "Hostile titles stay text",
        .enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func hostile() throws {
        let titles = [
            "</style><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "../../x\u{0}\u{1B}[31m\u{202E}reversed",
            String(repeating: "long ", count: 60),
        ]
        var report = Night.report(areas: 3, failing: 2, titles: titles)
        report.name = "<b>&amp;</b>"
        report.areas[0].id = "a' onmouseover='alert(1)"
        report.jobs[1].error?.message = "<svg/onload=alert(1)>"
        report.jobs[0].warnings = ["<a href=javascript:alert(1)>"]
        report.notes = ["<iframe srcdoc=x>"]
        report.versions["<x>"] = "<y>"
        #expect(
            try verdict(report, texts: ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<b>&amp;</b>"])
                .replacing("found <script\n", with: "").replacing("found <img\n", with: "") == "")
        let html = MorningPage(report: report, zone: .gmt).html
        #expect(!html.contains("<script") && !html.contains("<img") && !html.contains("<iframe") && !html.contains("\u{1B}"))
    }

    @Test("No secret reaches the page")
    func secrets() {
        var report = Samples.report
        let failure = Failure(
            phase: .download, kind: .permanent, code: 498, message: "GET https://h/f?token=\(Samples.secret)",
            details: ["Authorization: Bearer \(Samples.secret)"])
        report.error = failure
        report.jobs[2].error = failure
        report.jobs[0].warnings = ["https://h/f?access_token=\(Samples.secret)"]
        report.notes = ["token=\(Samples.secret)"]
        #expect(!MorningPage(report: report, zone: .gmt).html.contains(Samples.secret))
    }
}
