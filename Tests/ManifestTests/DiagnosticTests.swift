import Basics
import Glibc
import Manifest
import TestSupport
import Testing

@Suite struct DiagnosticTests {
    @Test func wholeText() {
        let result = decode(
            manifest("layers:\n  - match: { title: Main }\n    useGeomtry: false\n"))
        #expect(
            result.allText == """
                /m/x.yaml:9:5: error: unknown key `useGeomtry`
                  9 |     useGeomtry: false
                    |     ^~~~~~~~~~
                  hint: did you mean `useGeometry`?
                """)
    }

    @Test func caretKeepsTabsAndSpansTheWholeThing() {
        let problem = Diagnostic(file: "f", line: 12, column: 4, length: 3, message: "m", excerpt: "a\tb ccc d")
        #expect(problem.lines == ["f:12:4: error: m", "  12 | a\tb ccc d", "     |  \t ^~~"])
    }

    @Test func longLinesAreCut() throws {
        let line = String(repeating: "a", count: 5000) + "X" + String(repeating: "b", count: 5000)
        let lines = Diagnostic(file: "f", line: 1, column: 5001, length: 1, message: "m", excerpt: line).lines
        #expect(lines[1].count == 126)
        let caret = try #require(lines[2].firstIndex(of: "^"))
        #expect(lines[1][caret] == "X")
    }

    @Test func warningWithoutPlace() {
        #expect(Diagnostic(severity: .warning, file: "f", message: "m").text == "f: warning: m")
    }

    @Test func everyProblemInOneGoInTheOrderOfTheText() {
        let result = decode(
            """
            version: 2
            nam: x
            webMap: 17
            areas:
              - id: a/b
                envelope: { xmin: 2, ymin: 0, xmax: 1, ymax: 95 }
              - envelope: { xmin: 0, ymin: 0, xmax: one, ymax: 1 }
            scale: { min: 500, max: 10000 }
            layers:
              - match: { title: T }
                levelIDs: 17-12
                exclude: no
            output: { directory: out, keep: 0 }
            """)
        #expect(result.manifest == nil)
        #expect(
            result.summary == [
                "1:1 `name` is missing",
                "1:10 `version` must be 1",
                "2:1 unknown key `nam`",
                "3:9 `webMap` must be text, not a number",
                "5:9 `id` must be a name of letters, digits, `-`, `_` and `.` (at most 80)",
                "6:23 `xmin` must be smaller than `xmax`; it is 2, and `xmax` is 1",
                "6:50 latitude 95.0 is not between -90 and 90",
                "7:5 `id` is missing",
                "7:41 `xmax` must be a number, not text",
                "8:15 `min` must be larger than `max`: these are denominators, 1:500 is zoomed out",
                "11:15 `levelIDs` holds a range that runs backwards",
                "12:14 `exclude` must be true or false, not text",
                "13:33 `keep` must be a whole number of at least 1",
            ])
        let hints = result.diagnostics.map(\.hint)
        #expect(hints[2] == "did you mean `name`?")
        #expect(hints[3] == "write it in quotes: `\"17\"`")
        #expect(hints[4] == "for example `a-b`: it is also the name of a folder")
        #expect(hints[5] == "swap the two numbers")
        #expect(hints[11] == "in YAML 1.2 `no` is text; write `true` or `false`")
    }

    @Test func byteOrderMarkAndCarriageReturnsAreFine() {
        let text = "\u{FEFF}" + manifest().replacing("\n", with: "\r\n")
        #expect(decode(text).manifest?.areas.map(\.id) == ["a"])
        let wrong = "\u{FEFF}" + manifest("kep: 1\n").replacing("\n", with: "\r\n")
        #expect(decode(wrong).summary == ["7:1 unknown key `kep`"])
        #expect(decode(wrong).diagnostics[0].excerpt == "kep: 1")
    }

    @Test func controlCharactersNeverReachTheTerminal() {
        let escape = decode(manifest("\u{1B}[2J: 1\n"))
        #expect(escape.summary == ["7:1 this is not valid YAML: control characters are not allowed"])
        #expect(escape.diagnostics[0].excerpt == "\u{FFFD}[2J: 1")
        let quoted = decode(manifest(#"output: { "a\nb\e": 1 }"#))
        #expect(quoted.summary == [#"7:11 unknown key `a\nb\u{1B}`"#])
    }

    @Test func notUTF8() {
        let bytes = Array("version: 1\nname: ä".utf8).dropLast() + Array("\n".utf8)
        let result = Manifest.decode(bytes: Array(bytes), path: "x.yaml")
        #expect(result.summary == ["2:7 the file is not UTF-8"])
        #expect(Manifest.decode(bytes: [0xFF, 0xFE, 0x61, 0], path: "x").onlyMessageText == "the file is not UTF-8 but UTF-16")
    }

    @Test func readingErrors() throws {
        let folder = try TemporaryFolder()
        #expect(
            Manifest.load(path: folder.file("no.yaml")).allText
                == "\(folder.file("no.yaml")): error: the manifest cannot be read: there is no such file")
        #expect(Manifest.load(path: folder.path).allText.hasSuffix("it is a folder, not a file"))
        if geteuid() != 0 {
            try Files.writeAtomically([], to: folder.file("closed"), mode: 0)
            #expect(Manifest.load(path: folder.file("closed")).allText.hasSuffix("reading it is not permitted"))
        }
    }

    @Test func unknownKeyWithoutANearOneListsTheKnown() {
        let result = decode(manifest("scale: { lowest: 1 }\n"))
        #expect(result.diagnostics.map(\.hint) == ["known keys here: `min`, `max`"])
        #expect(decode(manifest("<<: { name: m }\n")).diagnostics[0].hint == "YAML 1.2 has no merge keys; write the keys out")
    }

    @Test func aKeyWithoutValue() {
        let result = decode(manifest("scale:\n"))
        #expect(result.summary == ["7:1 `scale` has no value: it must be a mapping"])
        #expect(result.diagnostics[0].length == 5)
    }
}

extension ManifestResult {
    fileprivate var onlyMessageText: String { diagnostics.map(\.message).joined() }
}
