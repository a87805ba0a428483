import Testing

@testable import Basics

/// A combining acute accent behind a sign makes one character of both, which is not equal to the sign.
@Suite struct SignsTests {
    private let slash = "a/\u{301}b/c"

    @Test func aMarkHidesNoSign() {
        #expect(!"/\u{301}".contains("/" as Character), "Swift has changed: Signs.swift may go")
        #expect(slash.pieces(between: "/").map(String.init) == ["a", "\u{301}b", "c"])
        #expect("/a//".pieces(between: "/") == ["", "a", "", ""] && "".pieces(between: "/") == [""])
        #expect(slash.contains(sign: "/") && !slash.contains(sign: "?"))
        #expect(slash.firstIndex(ofSign: "/").map { slash[..<$0] } == "a")
        #expect(slash.lastIndex(ofSign: "/").map { slash[$0...] } == "/c")
    }

    @Test func everySignIsEscapedOnce() {
        let escaped = "a\"\u{301}\\\u{301}\r\n".escaping(["\"": "\\\"", "\\": "\\\\", "\r": "%0D", "\n": "%0A"])
        #expect(escaped == "a\\\"\u{301}\\\\\u{301}%0D%0A")
        #expect("".escaping(["a": "b"]).isEmpty)
    }

    @Test func secretsInAddressesAreFoundBesideMarks() {
        #expect(Redaction.url("https://u:pw@\u{301}h/x?\u{301}&token=\u{301}v#f") == "https://\u{301}h/x?\u{301}&token=***#f")
        #expect(Redaction.address("https://h/x?\u{301}token=v") == "https://h/x")
        #expect(Redaction.form("a=1&\u{301}b=2&token=v") == "a=1&\u{301}b=2&token=***")
        KnownSecrets.add("a-secret-of-signs")
        #expect(KnownSecrets.removed(from: "https://h/x?\u{301}a=1&b=a-secret-of-signs") == "https://h/x?\u{301}a=1")
        #expect(KnownSecrets.removed(from: "https://h/x?b=a-secret-of-signs#f") == "https://h/x")
    }
}
