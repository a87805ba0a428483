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
