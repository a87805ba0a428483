import Basics
import Testing

@Suite struct FormEncodingTests {
    @Test(arguments: [
        ("a b", "a%20b"), ("1+1", "1%2B1"), ("50%", "50%25"), ("a&b=c", "a%26b%3Dc"), ("O'Neil \"x\"", "O%27Neil%20%22x%22"),
        ("größe", "gr%C3%B6%C3%9Fe"), ("水🚰", "%E6%B0%B4%F0%9F%9A%B0"), ("-._~aZ09", "-._~aZ09"), ("*()!", "%2A%28%29%21"),
        ("\r\n", "%0D%0A"), ("", ""), (#"[{"id":0}]"#, "%5B%7B%22id%22%3A0%7D%5D"),
    ])
    func values(text: String, encoded: String) {
        #expect(FormEncoding.encode(text) == encoded)
        #expect(FormEncoding.decode(encoded).first?.0 ?? "" == text)
    }

    @Test func parametersInOrderOrSorted() {
        #expect(FormEncoding.encode([("where", "1=1"), ("f", "json")]) == "where=1%3D1&f=json")
        #expect(FormEncoding.encode(["where": "1=1", "f": "json"]) == "f=json&where=1%3D1")
        let decoded = FormEncoding.decode("a=1&b=&c&d=x+y%2&e=%zz")
        #expect(decoded.map(\.0) == ["a", "b", "c", "d", "e"])
        #expect(decoded.map(\.1) == ["1", "", "", "x y%2", "%zz"])
        #expect(FormEncoding.decode("=1&a=b=c&&%+f=%4").map { [$0.0, $0.1] } == [["", "1"], ["a", "b=c"], ["% f", "%4"]])
        #expect(FormEncoding.decode(bytes: [0x61, 0x3D, 0x25, 0x43, 0x33, 0x25, 0x61, 0x34]).first?.1 == "ä")
    }
}
