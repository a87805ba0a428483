import Basics
import CYAML

/// A YAML document as a JSON tree, for the portal's own small files: plain scalars become booleans, numbers or null, quoted ones
/// stay text. Anchors, tags and several documents have no use here.
enum YAMLReader {
    struct SyntaxError: Error, Sendable, Hashable {
        var line: Int
        var reason: String
    }

    static func read(_ text: String) throws(SyntaxError) -> JSON {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else { throw SyntaxError(line: 0, reason: "out of memory") }
        defer { yaml_parser_delete(&parser) }
        let bytes = Array(text.utf8)
        let result: Result<JSON, SyntaxError> = bytes.withUnsafeBufferPointer { buffer in
            yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
            var document = yaml_document_t()
            guard yaml_parser_load(&parser, &document) == 1 else {
                let reason = parser.problem.map { String(cString: $0) } ?? "not YAML"
                return .failure(SyntaxError(line: Int(parser.problem_mark.line) + 1, reason: reason))
            }
            defer { yaml_document_delete(&document) }
            guard let root = yaml_document_get_root_node(&document) else { return .success(.null) }
            return .success(tree(root, in: &document, depth: 0))
        }
        return try result.get()
    }

    private static func tree(_ node: UnsafeMutablePointer<yaml_node_t>, in document: inout yaml_document_t, depth: Int) -> JSON {
        guard depth < 64 else { return .null }
        switch node.pointee.type {
        case YAML_SCALAR_NODE:
            let scalar = node.pointee.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return scalar.style == YAML_PLAIN_SCALAR_STYLE ? plain(text) : .string(text)
        case YAML_SEQUENCE_NODE:
            let items = node.pointee.data.sequence.items
            return .array(
                numbers(items.start, items.top).map { number in
                    yaml_document_get_node(&document, number).map { tree($0, in: &document, depth: depth + 1) } ?? .null
                })
        case YAML_MAPPING_NODE:
            let pairs = node.pointee.data.mapping.pairs
            var object = JSONObject()
            var pair = pairs.start
            while let current = pair, current != pairs.top {
                if let key = yaml_document_get_node(&document, current.pointee.key),
                    let value = yaml_document_get_node(&document, current.pointee.value)
                {
                    let name = key.pointee.data.scalar
                    let text = String(decoding: UnsafeBufferPointer(start: name.value, count: name.length), as: UTF8.self)
                    object[text] = tree(value, in: &document, depth: depth + 1)
                }
                pair = current + 1
            }
            return .object(object)
        default: return .null
        }
    }

    private static func numbers(_ start: UnsafeMutablePointer<Int32>?, _ top: UnsafeMutablePointer<Int32>?) -> [Int32] {
        guard let start, let top else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: top - start))
    }

    private static func plain(_ text: String) -> JSON {
        switch text {
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case "", "~", "null", "Null", "NULL": return .null
        default:
            if let number = Int64(text) { return .integer(number) }
            if text.first.map({ $0.isNumber || "+-.".contains($0) }) == true, let number = Double(text) { return .number(number) }
            return .string(text)
        }
    }
}

extension JSON {
    /// Text, also when YAML read it as a number: a password of digits is still a password.
    var text: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): "\(number)"
        default: nil
        }
    }
}

/// A file of the command line that cannot be used, with the reason.
public struct ConfigurationError: Error, Sendable, Hashable {
    public var message: String

    public init(message: String) { self.message = message }
}
