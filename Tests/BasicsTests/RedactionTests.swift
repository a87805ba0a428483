import Basics
import Testing

@Suite struct RedactionTests {
    @Test(arguments: [
        ("https://u:p@a.example/x?f=json&token=abc", "https://a.example/x?f=json&token=***"),
        ("https://a/x?X-Amz-Signature=1&X-Amz-Date=2#top", "https://a/x?X-Amz-Signature=***&X-Amz-Date=2#top"),
        (
            "https://a/x?TOKEN=1&client_secret=2&apiKey=3&password=",
            "https://a/x?TOKEN=***&client_secret=***&apiKey=***&password=***"
        ),
        ("https://a/x?to%6ben=1", "https://a/x?to%6ben=***"), ("https://a/x@y?q=u:p@z", "https://a/x@y?q=u:p@z"),
        ("https://a/plain", "https://a/plain"),
    ])
    func urls(text: String, redacted: String) {
        #expect(Redaction.url(text) == redacted)
    }

    @Test func addresses() {
        #expect(Redaction.address("https://u:p@a/x?token=1#y") == "https://a/x")
        #expect(Redaction.form("a=1&Token=2&code=3") == "a=1&Token=***&code=***")
    }

    @Test("of JSON members, only texts of secret names: a code is an error's or a domain's")
    func members() throws {
        let json: JSON = [
            "access_token": "abc", "expires": 5, "error": ["code": "400", "password": "x"], "list": [["token": 7]],
        ]
        #expect(
            Redaction.json(json)
                == ["access_token": "***", "expires": 5, "error": ["code": "400", "password": "***"], "list": [["token": 7]]])
        #expect(Redaction.json(["code": "1", "list": ["token"]]) == nil)
    }

    @Test(
        "secrets in running text are masked by name",
        arguments: [
            ("https://h/f?token=abc123&f=json", "https://h/f?token=***&f=json"),
            ("{\"access_token\":\"abc\",\"n\":1}", "{\"access_token\":\"***\",\"n\":1}"),
            ("{\"Token\" : \"abc\"}", "{\"Token\" : \"***\"}"),
            ("X-Esri-Authorization: Bearer abc.def", "X-Esri-Authorization: Bearer ***"),
            ("Authorization: Bearer abc.def was refused", "Authorization: Bearer *** was refused"),
            ("{\"authorization\":\"Basic abc\"}", "{\"authorization\":\"*** abc\"}"),
            ("client_secret=s3cr3t, password=hunter2", "client_secret=***, password=***"),
            ("u=a%26token%3Dabc123 and (sig=q)", "u=a%26token%3Dabc123 and (sig=***)"),
            ("token%3Dabc", "token%3D***"), ("bearer é-ö", "bearer ***"), ("token=***", "token=***"),
            // Nothing to hide: words without values, names inside other names, codes.
            ("Invalid token.", "Invalid token."), ("token=", "token="), ("mytoken=1", "mytoken=1"), ("code=400", "code=400"),
            ("token: the word", "token: the word"), ("", ""),
        ])
    func runningText(text: String, masked: String) {
        #expect(Redaction.text(text) == masked)
    }
}

@Suite struct SecretTests {
    @Test func secretPrintsAsStars() {
        let secret = Secret("hunter22")
        var dumped = ""
        dump([secret], to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), String(reflecting: [secret]), dumped] {
            #expect(!text.contains("hunter22"))
        }
        #expect("\(secret)" == "***" && secret.reveal() == "hunter22")
    }
}
