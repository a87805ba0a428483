import Foundation

/// Reads any `Decodable` value from a tree. Numbers in quotes are no numbers here: what we wrote ourselves is exact.
struct JSONTreeDecoder: Decoder {
    let json: JSON
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func value<Value: Decodable>(
        _ type: Value.Type, of json: JSON, _ path: @autoclosure () -> [any CodingKey] = []
    ) throws -> Value {
        let plain: Any?
        switch type {
        case is String.Type: plain = json.string
        case is Int.Type: plain = json.exactInteger.flatMap { Int(exactly: $0) }
        case is Bool.Type: plain = if case .bool(let flag) = json { flag } else { nil }
        case is Double.Type: plain = json.exactNumber
        case is Date.Type: plain = json.string.flatMap(ISOTime.date)
        case let integer as any FixedWidthInteger.Type: plain = self.integer(integer, json)
        // Other types describe themselves.
        default: return try Value(from: JSONTreeDecoder(json: json, codingPath: path()))
        }
        guard let value = plain as? Value else { throw mismatch(type, path()) }
        return value
    }

    private static func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ json: JSON) -> Integer? {
        json.exactInteger.flatMap { Integer(exactly: $0) }
    }

    static func mismatch(_ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(type, .init(codingPath: path, debugDescription: "It is not a \(type)."))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = json else { throw Self.mismatch([String: JSON].self, codingPath) }
        return KeyedDecodingContainer(Members<Key>(object: object, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let items) = json else { throw Self.mismatch([JSON].self, codingPath) }
        return Items(items: items, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(json: json, codingPath: codingPath) }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let object: JSONObject
        let codingPath: [any CodingKey]

        var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }
        func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try JSONTreeDecoder.value(type, of: try member(key), codingPath + [key])
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            try decoder(key).container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder(key).unkeyedContainer()
        }
        func superDecoder() -> any Decoder {
            JSONTreeDecoder(json: object["super"] ?? .null, codingPath: codingPath + [JSONPlace(stringValue: "super")])
        }
        func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

        private func decoder(_ key: Key) throws -> JSONTreeDecoder {
            JSONTreeDecoder(json: try member(key), codingPath: codingPath + [key])
        }

        private func member(_ key: Key) throws -> JSON {
            guard let value = object[key.stringValue] else {
                throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "It is not there."))
            }
            return value
        }
    }

    private struct Items: UnkeyedDecodingContainer {
        let items: [JSON]
        let codingPath: [any CodingKey]
        var currentIndex = 0

        init(items: [JSON], codingPath: [any CodingKey]) {
            self.items = items
            self.codingPath = codingPath
        }

        var count: Int? { items.count }
        var isAtEnd: Bool { currentIndex >= items.count }

        mutating func decodeNil() throws -> Bool {
            let isNull = try item(JSON.self).isNull
            if isNull { currentIndex += 1 }
            return isNull
        }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let value = try JSONTreeDecoder.value(type, of: try item(type), here)
            currentIndex += 1
            return value
        }
        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
            try next().container(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
        mutating func superDecoder() throws -> any Decoder { try next() }

        private var here: [any CodingKey] { codingPath + [JSONPlace(intValue: currentIndex)] }

        private mutating func next() throws -> JSONTreeDecoder {
            defer { currentIndex += 1 }
            return JSONTreeDecoder(json: try item(JSON.self), codingPath: here)
        }

        private func item(_ type: Any.Type) throws -> JSON {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(type, .init(codingPath: here, debugDescription: "The list ends before it."))
            }
            return items[currentIndex]
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let json: JSON
        let codingPath: [any CodingKey]

        func decodeNil() -> Bool { json.isNull }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONTreeDecoder.value(type, of: json, codingPath)
        }
    }
}

extension JSON {
    fileprivate var exactNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// A whole number, also as `3.0`.
    fileprivate var exactInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }
}
