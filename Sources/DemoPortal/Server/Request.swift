import Basics

/// One request as a route sees it: percent escapes and form encoding undone, query and form in one list.
struct Request: Sendable {
    /// Which of the two listening ports took it.
    enum Listener: Sendable { case main, store }

    var method: String
    /// Without the query, decoded.
    var path: String
    var parameters: Parameters
    var headers: Headers
    var listener = Listener.main
    /// Names that came in the URL, lower case: credentials have no business there.
    var queryNames: Set<String> = []

    var isPost: Bool { method == "POST" }

    /// Adds what a form body says. Other kinds of body (multipart) are ignored.
    mutating func addForm(_ body: [UInt8]) {
        guard headers["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? true else { return }
        for (name, value) in FormEncoding.decode(bytes: body) { parameters.set(name, value) }
    }
}

/// Header fields by lower-case name.
struct Headers: Sendable {
    private(set) var items: [(name: String, value: String)] = []

    init(_ items: [(name: String, value: String)] = []) { self.items = items.map { ($0.name.lowercased(), $0.value) } }

    mutating func append(_ name: String, _ value: String) { items.append((name.lowercased(), value)) }
    subscript(name: String) -> String? { items.first { $0.name == name }?.value }
}

/// Request parameters. Names are compared without case, as ArcGIS Server does; of two values the last one counts.
struct Parameters: Sendable {
    private(set) var items: [(name: String, value: String)] = []

    init(_ items: [(String, String)] = []) {
        for item in items { set(item.0, item.1) }
    }

    mutating func set(_ name: String, _ value: String) {
        if let index = items.firstIndex(where: { Self.same($0.name, name) }) {
            items[index].value = value
        } else {
            items.append((name, value))
        }
    }

    /// nil when absent or empty: services take an empty parameter for an absent one.
    subscript(name: String) -> String? {
        guard let value = items.first(where: { Self.same($0.name, name) })?.value else { return nil }
        return value.isEmpty ? nil : value
    }

    func bool(_ name: String, default fallback: Bool = false) -> Bool {
        switch self[name]?.lowercased() {
        case "true", "1", "on": true
        case "false", "0", "off": false
        default: fallback
        }
    }

    func int(_ name: String) -> Int? { self[name].flatMap { Int($0.trimmed) } }

    private static func same(_ a: String, _ b: String) -> Bool {
        a == b || (a.utf8.count == b.utf8.count && a.lowercased() == b.lowercased())
    }
}

extension StringProtocol {
    /// Without spaces, tabs and line ends at both ends.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(self[start...end])
    }
}
