import Synchronization
import Testing

@testable import Reporting

@Suite struct DisarmedTextTests {
    @Test(arguments: [
        ("plain, ä, שלום, \u{2068}שלום\u{2069}\n\ttab\n", nil), ("\u{1B}[31mred\u{1B}[0m", nil), ("\u{1B}[2Jx", "[2Jx"),
        ("\u{1B}]8;;http://evil\u{7}y\u{1B}]8;;\u{7}", "]8;;http://evily]8;;"), ("a\u{202E}b\u{200F}c\u{61C}d", "abcd"),
        ("a\r\nb\rc\u{7F}\u{85}\u{9B}31m\u{0}", "a\nbc31m"), ("\u{1B}\u{301}[31m", "\u{301}[31m"), ("\u{1B}[311m", "[311m"),
        ("\u{2066}x\u{2067}\u{200B}", "x\u{200B}"),
    ])
    func nothingThatAScreenObeysGoesOut(text: String, expected: String?) {
        #expect(text.disarmed == expected ?? text)
    }

    @Test func movesOfOurOwnDo() {
        let written = Mutex("")
        let output = TextOutput { text in written.withLock { $0 += text } }
        output.write("a\u{1B}[2A\n", after: "\u{1B}[2A\r")
        output.write(lines: ["b\u{7}"])
        #expect(written.withLock(\.self) == "\u{1B}[2A\ra[2A\nb\n")
    }
}
