/// One value of a YAML document and where it stands.
struct Node: Sendable, Hashable {
    indirect enum Value: Sendable, Hashable {
        case scalar(Scalar)
        case sequence([Node])
        case mapping([Entry])
    }

    struct Entry: Sendable, Hashable {
        var key: Node
        var value: Node
    }

    var value: Value
    var span: Span
}

struct Scalar: Sendable, Hashable {
    enum Style: Sendable { case plain, singleQuoted, doubleQuoted, literal, folded }

    var text: String
    var style: Style
    /// What the text means by the YAML 1.2 core schema; quoted and block scalars are text.
    var core: CoreValue
}

extension Node {
    var scalar: Scalar? { if case .scalar(let scalar) = value { scalar } else { nil } }
    var items: [Node]? { if case .sequence(let items) = value { items } else { nil } }
    var entries: [Entry]? { if case .mapping(let entries) = value { entries } else { nil } }

    var text: String? { scalar.flatMap { $0.core == .text ? $0.text : nil } }
    var bool: Bool? { if case .bool(let flag)? = scalar?.core { flag } else { nil } }
    var integer: Int? { if case .integer(let number)? = scalar?.core { Int(exactly: number) } else { nil } }

    var number: Double? {
        switch scalar?.core {
        case .integer(let number): Double(number)
        case .decimal(let number): number
        default: nil
        }
    }

    subscript(key: String) -> Node? { entry(key)?.value }
    func entry(_ key: String) -> Entry? { entries?.first { $0.key.scalar?.text == key } }

    /// What the author wrote, in words.
    var kindInWords: String {
        switch value {
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .scalar(let scalar):
            switch scalar.core {
            case .null: "nothing"
            case .bool: "true or false"
            case .integer, .decimal: "a number"
            case .text: "text"
            }
        }
    }
}
