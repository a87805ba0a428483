extension JSON {
    /// Any `Encodable` value as a tree. Dates are ISO 8601 in UTC.
    public static func encoding(_ value: some Encodable) throws -> JSON { try JSONTreeEncoder.tree(value) }

    /// The reverse of `encoding`.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONTreeDecoder.value(type, of: self)
    }
}

/// A tree that is part of a value stays what it is, with the order of its members. Coders for other formats could not keep that, so
/// they are refused.
extension JSON: Codable {
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONTreeDecoder else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "JSON is read by JSON.decoded only."))
        }
        self = decoder.json
    }

    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? JSONTreeEncoder else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "JSON is written by JSON.encoding only."))
        }
        encoder.become(self)
    }
}
