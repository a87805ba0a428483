import Basics
import Testing

@Suite struct JSONTests {
    @Test func parsesEveryKind() throws {
        let json = try JSON.parse(#"{"a":null,"b":[true,false],"c":-7,"d":1.5,"e":"x","f":{}}"#)
        #expect(
            json
                == .object(
                    JSONObject([
                        .init(key: "a", value: .null), .init(key: "b", value: [true, false]),
                        .init(key: "c", value: .integer(-7)),
                        .init(key: "d", value: .number(1.5)), .init(key: "e", value: "x"),
                        .init(key: "f", value: .object(JSONObject())),
                    ])))
    }

    @Test func wholeNumbersStayApartFromDecimals() throws {
        #expect(
            try JSON.parse("[3, 3.0, 9007199254740993, 1e2]") == [
                .integer(3), .number(3), .integer(9_007_199_254_740_993), .number(100),
            ])
        #expect(try JSON.parse("18446744073709551615") == .number(18_446_744_073_709_551_616))
    }

    @Test func byteOrderMarkIsSkipped() throws {
        #expect(try JSON.parse([0xEF, 0xBB, 0xBF] + Array("[1]".utf8)) == [1])
    }

    @Test("what a screen obeys is written as an escape, and reads back as it was")
    func hiddenCharacters() throws {
        let title: JSON = "a\u{1B}[2J\u{7F}\u{9B}b\u{202E}c\u{2066}\u{200F}\u{61C}\u{2028}é\u{645}💧"
        #expect(
            title.serialized()
                == #""a\u001b[2J\u007f\u009bb\u202ec\u2066\u200f\u061c\u2028é"# + "\u{645}💧\"")
        #expect(try JSON.parse(title.serialized()) == title)
        #expect(JSON.object(JSONObject([.init(key: "\u{202E}", value: 1)])).serialized() == #"{"\u202e":1}"#)
    }

    @Test func aTextOfTooManyValuesIsRefused() throws {
        // The list itself is one, the key of a member, too.
        #expect(try JSON.parse(Array("[1,2,3]".utf8), limit: 4) == [1, 2, 3])
        #expect(throws: JSONSyntaxError(reason: "The text holds too many values.")) {
            try JSON.parse(Array("[1,2,3]".utf8), limit: 3)
        }
        #expect(throws: JSONSyntaxError.self) { try JSON.parse(Array(#"{"a":{"b":{"c":1}}}"#.utf8), limit: 5) }
        // Lists within lists end the parser before they end the stack.
        #expect(throws: JSONSyntaxError.self) { try JSON.parse(String(repeating: "[", count: 100_000)) }
    }

    /// REST reference 0.1: the last one counts, and none is lost when the document is written again.
    @Test func duplicateKeysAreKeptAndTheLastCounts() throws {
        let text = #"{"a":1,"b":2,"a":3}"#
        var json = try JSON.parse(text)
        #expect(json["a"] == 3 && json.object?.keys == ["a", "b", "a"])
        #expect(json.serialized() == text)
        json["a"] = 4
        #expect(json.serialized() == #"{"a":1,"b":2,"a":4}"#)
        json["a"] = nil
        #expect(json.serialized() == #"{"b":2}"#)
    }

    @Test(arguments: ["", " ", "{", "[1,]", #"{"a" 1}"#, "NaN", "[01]", "'a'", "\u{FEFF}", "[1] 2", #"["\ud800"]"#])
    func refuses(_ text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSON.parse(text) }
    }

    @Test func notUTF8IsRefused() {
        #expect(throws: JSONSyntaxError.self) { try JSON.parse([0x22, 0xC3, 0x22]) }
    }

    @Test func depthIsBounded() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(throws: JSONSyntaxError.self) { try JSON.parse(deep) }
    }

    @Test func numbersAreReadLeniently() throws {
        let json = try JSON.parse(#"["NaN", "12", "1.5", "", "x", true, null, 3.0, 2.5, "Infinity", 1e300]"#)
        #expect(json.array?.map(\.double) == [nil, 12, 1.5, nil, nil, nil, nil, 3, 2.5, nil, 1e300])
        #expect(json.array?.map(\.int) == [nil, 12, nil, nil, nil, nil, nil, 3, nil, nil, nil])
    }

    @Test func flagsAreReadLeniently() throws {
        let json = try JSON.parse(#"[true, "false", "True", 1, null]"#)
        #expect(json.array?.map(\.bool) == [true, false, nil, nil, nil])
    }

    @Test func accessToWhatIsNotThere() throws {
        let json = try JSON.parse(#"{"a":[1]}"#)
        #expect(json["b"] == nil && json["a"]?[1] == nil && json["a"]?["x"] == nil && json[0] == nil)
        #expect(try JSON.parse(#"{"a":null}"#)["a"] == .null)
    }

    @Test func serializedText() {
        let json: JSON = ["b": [1, 2.5, .number(3)], "a": "q\"\\\n\r\t\u{1}é/", "n": .number(.nan), "i": .number(.infinity)]
        #expect(json.serialized() == #"{"b":[1,2.5,3],"a":"q\"\\\n\r\t\u0001é/","n":null,"i":null}"#)
        #expect(json.serialized(.canonical) == #"{"a":"q\"\\\n\r\t\u0001é/","b":[1,2.5,3],"i":null,"n":null}"#)
        #expect(
            (["k": [1], "e": [], "o": [:]] as JSON).serialized(.indented)
                == "{\n  \"k\": [\n    1\n  ],\n  \"e\": [],\n  \"o\": {}\n}")
    }

    @Test func decimalsComeBackTheSame() throws {
        for number in [0.1, -88.16, 1e21, 2.5e-308, 1.7976931348623157e308, 295_828_763.795_777_02] {
            #expect(try JSON.parse(JSON.number(number).serialized()).double == number)
        }
    }

    private struct Sample: Codable, Equatable {
        var name: String
        var count: Int
        var extra: JSON
    }

    @Test func codableBothWays() throws {
        let sample = Sample(name: "n", count: 3, extra: ["a": [1, 2.5, true, .null, "x"]])
        let json = try JSON.encoding(sample)
        #expect(json.serialized(.canonical) == #"{"count":3,"extra":{"a":[1,2.5,true,null,"x"]},"name":"n"}"#)
        #expect(try json.decoded(as: Sample.self) == sample)
    }
}
