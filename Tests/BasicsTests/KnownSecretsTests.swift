import Basics
import Testing

/// The values here are of this suite alone: the list is the process's.
@Suite struct KnownSecretsTests {
    @Test func aValueIsMaskedUnderAnyNameAndInAnySpelling() {
        _ = Secret("known/secret \"value\" + 1")
        for text in [
            "the server said known/secret \"value\" + 1 twice", "q=known%2Fsecret%20%22value%22%20%2B%201",
            "q=known%2fsecret%20%22value%22%20%2b%201", #"{"odd":"known/secret \"value\" + 1"}"#,
        ] {
            #expect(KnownSecrets.masked(text).contains("***"), "\(text)")
            #expect(!KnownSecrets.masked(text).contains("secret"), "\(text)")
            #expect(!Redaction.text(text).contains("secret"), "\(text)")
        }
    }

    @Test func ofTwoValuesTheLongerOneGoesFirst() {
        KnownSecrets.add("abracadabra-1")
        KnownSecrets.add("abracadabra-1-and-more")
        #expect(KnownSecrets.masked("x abracadabra-1-and-more y abracadabra-1") == "x *** y ***")
    }

    @Test func whatStandsAroundAValueDoesNotHideIt() {
        KnownSecrets.add("neighbours-1")
        // A combining accent makes one sign for the eye of it and the last byte.
        #expect(
            KnownSecrets.masked("éneighbours-1\u{301}, neighbours-neighbours-1neighbours-1") == "é***\u{301}, neighbours-******")
        #expect(KnownSecrets.masked("neighbours-") == "neighbours-")
    }

    @Test func shortValuesWouldHitInnocentWords() {
        _ = Secret("bathing")
        #expect(KnownSecrets.masked("no bathing") == "no bathing")
    }

    @Test(
        "a short value is masked where it stands alone",
        arguments: [
            ("q7%x", "***"), ("Invalid password 'q7%x'.", "Invalid password '***'."), ("pw=q7%x&f=json", "pw=***&f=json"),
            ("pw=q7%25x&f=json", "pw=***&f=json"), ("a%3Dq7%25x%26f", "a%3D***%26f"), (#"{"odd":"q7%x"}"#, #"{"odd":"***"}"#),
            (#"{\"odd\":\"q7%x\"}"#, #"{\"odd\":\"***\"}"#), ("X-Custom: q7%x", "X-Custom: ***"),
            ("http://night:q7%x@proxy:80", "http://night:***@proxy:80"),
            ("it was q7%x, twice: q7%x.", "it was q7%x, twice: ***."),
            ("aq7%x", "aq7%x"), ("=q7%xx", "=q7%xx"), ("", ""),
        ])
    func shortValuesThatStandAlone(text: String, masked: String) {
        KnownSecrets.add("q7%x")
        #expect(Redaction.text(text) == masked)
        // The words of our own documents stay: a key or a state may be called like somebody's password.
        #expect(KnownSecrets.masked(text) == text)
    }

    @Test func shortSecretsAreKnownByTheirSource() {
        _ = Secret("q7%x", from: "file short")
        _ = Secret("q7%x-and-long-enough", from: "file long")
        #expect(KnownSecrets.shortSources.contains("file short") && !KnownSecrets.shortSources.contains("file long"))
        // Nobody can hide two letters.
        KnownSecrets.add("zq")
        #expect(Redaction.text("=zq") == "=zq")
    }

    @Test("an address keeps what others put into it")
    func addressesLoseOurSecretsOnly() {
        KnownSecrets.add("tok en-of+ours")
        let signed = "https://h/jobs/1?X-Amz-Signature=abc&x=1"
        #expect(KnownSecrets.removed(from: signed) == signed)
        #expect(KnownSecrets.removed(from: "https://h/jobs/1?token=tok%20en-of%2Bours&x=1") == "https://h/jobs/1?x=1")
        #expect(KnownSecrets.removed(from: "https://h/jobs/1?anything=tok+en-of%2Bours") == "https://h/jobs/1")
        #expect(KnownSecrets.removed(from: "https://h/jobs/1") == "https://h/jobs/1")
    }
}
