/// A JSON document as a tree that keeps what the text said: member order, duplicate keys, integers apart from decimals.
///
/// Services send unknown members, numbers in quotes and `"NaN"` for a number, so reading is lenient (`double`, `int`, `bool`)
/// and nothing is lost that was not asked for: web maps travel through this type and come out whole.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

/// The members of a JSON object in document order. Of duplicate keys the last one counts (REST reference 0.1).
public struct JSONObject: Sendable, Hashable {
    public struct Member: Sendable, Hashable {
        public var key: String
        public var value: JSON

        public init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }

    public private(set) var members: [Member]

    public init(_ members: [Member] = []) { self.members = members }

    /// Setting a key replaces its last occurrence or appends; setting `nil` removes every occurrence.
    public subscript(key: String) -> JSON? {
        get { members.last { $0.key == key }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.key == key } }
            if let index = members.lastIndex(where: { $0.key == key }) {
                members[index].value = newValue
            } else {
                members.append(Member(key: key, value: newValue))
            }
        }
    }

    public var keys: [String] { members.map(\.key) }
    public var isEmpty: Bool { members.isEmpty }
}

extension JSON {
    /// The member `key` of an object; nil for anything else and for absent keys. A JSON null is `.null`, not nil.
    public subscript(key: String) -> JSON? {
        get { if case .object(let object) = self { object[key] } else { nil } }
        set {
            var object = self.object ?? JSONObject()
            object[key] = newValue
            self = .object(object)
        }
    }

    public subscript(index: Int) -> JSON? {
        if case .array(let items) = self, items.indices.contains(index) { items[index] } else { nil }
    }

    public var isNull: Bool { self == .null }
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// A number, also when it was sent in quotes. `"NaN"` is nil: there is no number.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// A whole number, also as `3.0` or `"3"`.
    public var int: Int? {
        if case .integer(let value) = self { return Int(value) }
        return double.flatMap { Int(exactly: $0) }
    }

    /// `true`/`false`, also in quotes.
    public var bool: Bool? {
        switch self {
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(nilLiteral: ()) { self = .null }
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
    }

    public init(_ value: some BinaryInteger) { self = .integer(Int64(value)) }
}
