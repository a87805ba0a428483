import Basics
import Foundation
import Testing

/// Values to trees and back. Foundation's coders are the judges; only the order of members is our own.
@Suite struct JSONCodingTests {
    private enum Choice: Codable, Equatable {
        case plain
        case named(String, at: Date)
        case pair(Int, Double)
    }

    /// Asks for containers inside containers by itself.
    private struct Grid: Codable, Equatable {
        var rows: [[Int]]
        var title: String

        enum Key: String, CodingKey { case rows, about, title }

        init(rows: [[Int]], title: String) {
            self.rows = rows
            self.title = title
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var list = try container.nestedUnkeyedContainer(forKey: .rows)
            rows = []
            while !list.isAtEnd {
                var row = try list.nestedUnkeyedContainer()
                rows.append([])
                while !row.isAtEnd { rows[rows.count - 1].append(try row.decode(Int.self)) }
            }
            title = try container.nestedContainer(keyedBy: Key.self, forKey: .about).decode(String.self, forKey: .title)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var list = container.nestedUnkeyedContainer(forKey: .rows)
            for row in rows {
                var inner = list.nestedUnkeyedContainer()
                for number in row { try inner.encode(number) }
            }
            var about = container.nestedContainer(keyedBy: Key.self, forKey: .about)
            try about.encode(title, forKey: .title)
        }
    }

    private struct Sample: Codable, Equatable {
        var name = "é \"x\"\n"
        var small: Int8 = -7
        var large = Int.max
        var ratio = 0.1
        var whole = 3.0
        var flag = true
        var nothing: Int?
        var something: UInt16? = 9
        var list: [Int?] = [1, nil, 3]
        var empty: [String] = []
        var byName = ["b": [1.5], "a": []]
        var choices: [Choice] = [.plain, .named("n", at: Date(timeIntervalSince1970: 1_700_000_000)), .pair(1, 2)]
        var grid = Grid(rows: [[1, 2], [], [3]], title: "t")
        var when = Date(timeIntervalSince1970: 1_796_051_045)
    }

    private static func foundation(_ value: some Encodable) throws -> JSON {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return try JSON.parse(encoder.encode(value))
    }

    @Test func writesWhatFoundationWrites() throws {
        #expect(try JSON.encoding(Sample()).serialized(.canonical) == Self.foundation(Sample()).serialized(.canonical))
        #expect(try JSON.encoding([1, 2]).serialized() == "[1,2]")
        #expect(try JSON.encoding("x").serialized() == #""x""#)
    }

    @Test func readsWhatFoundationWrites() throws {
        #expect(try Self.foundation(Sample()).decoded() == Sample())
        #expect(try JSON.encoding(Sample()).decoded() == Sample())
    }

    @Test func foundationReadsWhatIsWritten() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(Sample.self, from: Data(JSON.encoding(Sample()).utf8())) == Sample())
    }

    @Test func membersStayInTheirOrder() throws {
        struct Pair: Codable {
            var second: JSON
            var first: Int
        }
        let text = #"{"second":{"z":1,"a":[2.5,null],"z":3},"first":1}"#
        #expect(try JSON.encoding(try JSON.parse(text).decoded(as: Pair.self)).serialized() == text)
    }

    private struct One: Codable { var value: Int }

    @Test(arguments: [#"{}"#, #"{"value":null}"#, #"{"value":"1"}"#, #"{"value":1.5}"#, #"[1]"#, #"{"value":true}"#])
    func whatDoesNotFitIsAnError(_ text: String) throws {
        let json = try JSON.parse(text)
        #expect(throws: DecodingError.self) { try json.decoded(as: One.self) }
    }

    @Test func anErrorTellsThePlace() throws {
        let json = try JSON.parse(#"{"rows":[[1],[2,"x"]],"about":{"title":"t"}}"#)
        do {
            _ = try json.decoded(as: Grid.self)
            Issue.record("no error")
        } catch DecodingError.typeMismatch(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["rows", "1", "1"])
        }
    }

    @Test func numbersThatJSONLacksAreRefused() {
        #expect(throws: EncodingError.self) { try JSON.encoding(["x": Double.nan]) }
    }
}
