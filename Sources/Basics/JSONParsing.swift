import CSimdJSON

/// Why a text is not JSON, in the parser's words.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

extension JSON {
    /// Values that a document of somebody else may hold; a page of features with three million vertices stays below it.
    public static let foreignLimit = 8_000_000

    /// Parses UTF-8 text; a byte order mark is skipped.
    /// - Parameter limit: numbers, texts, lists and the like that it may hold. A value takes a hundred bytes of memory for a while, and
    ///   the text of the shortest two.
    public static func parse(_ bytes: some Collection<UInt8>, limit: Int = .max) throws(JSONSyntaxError) -> JSON {
        let result = bytes.withContiguousStorageIfAvailable { parseBuffer($0, limit) }
        return try (result ?? Array(bytes).withUnsafeBufferPointer { parseBuffer($0, limit) }).get()
    }

    public static func parse(_ text: String) throws(JSONSyntaxError) -> JSON { try parse(Array(text.utf8)) }

    private static func parseBuffer(_ bytes: UnsafeBufferPointer<UInt8>, _ limit: Int) -> Result<JSON, JSONSyntaxError> {
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let text = UnsafeBufferPointer(rebasing: bytes)
        guard let base = text.baseAddress, !text.isEmpty else { return .failure(JSONSyntaxError(reason: "The text is empty.")) }
        let document = base.withMemoryRebound(to: CChar.self, capacity: text.count) { ob_json_parse($0, text.count, limit) }
        guard let document else { return .failure(JSONSyntaxError(reason: "The text could not be held in memory.")) }
        defer { ob_json_free(document) }
        if let reason = ob_json_error(document) { return .failure(JSONSyntaxError(reason: String(cString: reason))) }
        var events = EventReader(
            events: UnsafeBufferPointer(start: ob_json_events(document), count: ob_json_event_count(document)))
        return .success(events.value())
    }
}

/// Builds the tree from the flat event list of `CSimdJSON`. Depth is bounded by simdjson's limit of 1,024.
private struct EventReader {
    let events: UnsafeBufferPointer<ob_json_event>
    var position = 0

    mutating func value() -> JSON {
        let event = events[position]
        position += 1
        switch event.kind {
        case OB_JSON_BOOL: return .bool(event.integer != 0)
        case OB_JSON_INTEGER: return .integer(event.integer)
        case OB_JSON_DOUBLE: return .number(event.number)
        case OB_JSON_STRING: return .string(text(event))
        case OB_JSON_ARRAY: return .array((0..<event.integer).map { _ in value() })
        case OB_JSON_OBJECT: return .object(JSONObject((0..<event.integer).map { _ in member() }))
        default: return .null
        }
    }

    private mutating func member() -> JSONObject.Member {
        let key = text(events[position])
        position += 1
        return JSONObject.Member(key: key, value: value())
    }

    private func text(_ event: ob_json_event) -> String {
        UnsafeRawBufferPointer(start: event.bytes, count: event.length).withMemoryRebound(to: UInt8.self) {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
