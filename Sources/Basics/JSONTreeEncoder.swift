import Foundation

/// Makes a tree of any `Encodable` value, member by member in the order of its declaration: no text is written to be parsed again.
final class JSONTreeEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private enum Content {
        case nothing
        case value(JSON)
        case array([JSON])
        case object([JSONObject.Member])
    }

    private var content = Content.nothing
    /// Nested containers are filled in after they were asked for: their places are kept.
    private var nested: [(place: Int, encoder: JSONTreeEncoder)] = []

    init(codingPath: [any CodingKey] = []) { self.codingPath = codingPath }

    static func tree(_ value: some Encodable, _ path: @autoclosure () -> [any CodingKey] = []) throws -> JSON {
        switch value {
        case let text as String: return .string(text)
        case let number as Int: return .integer(Int64(number))
        case let flag as Bool: return .bool(flag)
        case let number as Double:
            guard number.isFinite else {
                throw EncodingError.invalidValue(number, .init(codingPath: path(), debugDescription: "JSON has no such number."))
            }
            return .number(number)
        case let date as Date: return .string(ISOTime.text(date))
        case let number as any BinaryInteger: return Int64(exactly: number).map(JSON.integer) ?? .number(Double(number))
        default:
            let encoder = JSONTreeEncoder(codingPath: path())
            try value.encode(to: encoder)
            return encoder.tree
        }
    }

    /// A value that encodes nothing is an empty object, as Foundation has it.
    private var tree: JSON {
        switch content {
        case .nothing: return .object(JSONObject())
        case .value(let value): return value
        case .array(var items):
            for (place, encoder) in nested { items[place] = encoder.tree }
            return .array(items)
        case .object(var members):
            for (place, encoder) in nested { members[place].value = encoder.tree }
            return .object(JSONObject(members))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .nothing = content { content = .object([]) }
        return KeyedEncodingContainer(Members<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .nothing = content { content = .array([]) }
        return Items(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    func become(_ value: JSON) { content = .value(value) }

    private func append(_ key: String, _ value: JSON) {
        guard case .object(var members) = content else { return }
        content = .nothing
        members.append(.init(key: key, value: value))
        content = .object(members)
    }

    private func append(_ value: JSON) {
        guard case .array(var items) = content else { return }
        content = .nothing
        items.append(value)
        content = .array(items)
    }

    private var count: Int {
        switch content {
        case .array(let items): items.count
        case .object(let members): members.count
        case .nothing, .value: 0
        }
    }

    private func nest(_ key: any CodingKey) -> JSONTreeEncoder {
        let encoder = JSONTreeEncoder(codingPath: codingPath + [key])
        nested.append((count, encoder))
        if case .array = content { append(.null) } else { append(key.stringValue, .null) }
        return encoder
    }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: JSONTreeEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil(forKey key: Key) { encoder.append(key.stringValue, .null) }
        func encode(_ value: some Encodable, forKey key: Key) throws {
            encoder.append(key.stringValue, try JSONTreeEncoder.tree(value, encoder.codingPath + [key]))
        }
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
            encoder.nest(key).container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.nest(key).unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder.nest(JSONPlace(stringValue: "super")) }
        func superEncoder(forKey key: Key) -> any Encoder { encoder.nest(key) }
    }

    private struct Items: UnkeyedEncodingContainer {
        let encoder: JSONTreeEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int { encoder.count }
        private var here: JSONPlace { JSONPlace(intValue: count) }

        func encodeNil() { encoder.append(.null) }
        func encode(_ value: some Encodable) throws {
            encoder.append(try JSONTreeEncoder.tree(value, encoder.codingPath + [here]))
        }
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            encoder.nest(here).container(keyedBy: type)
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nest(here).unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder.nest(here) }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: JSONTreeEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil() { encoder.become(.null) }
        func encode(_ value: some Encodable) throws {
            encoder.become(try JSONTreeEncoder.tree(value, encoder.codingPath))
        }
    }
}

/// A step on the way to a value, for errors: a member's name or an item's number.
struct JSONPlace: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
