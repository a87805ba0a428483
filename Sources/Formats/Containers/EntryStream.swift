/// A file inside a package. Names come from strangers: they need not be UTF-8.
public struct PackageEntry: Sendable, Hashable {
    public var rawName: [UInt8]
    /// For people and look-ups: bytes that are not UTF-8 are shown as U+FFFD.
    public var name: String
    /// nil when the package does not say.
    public var size: Int?
    public var isDirectory: Bool
}

/// The content of one entry, front to back. Lives only as long as the walk stands on the entry.
public final class EntryStream {
    public let entry: PackageEntry
    /// The package or folder, for errors.
    let file: String
    public private(set) var position = 0
    private let source: (inout [UInt8]) throws(FormatError) -> Int
    /// Made when the first byte is asked for: most entries of a walk are skipped.
    private var buffer: [UInt8] = []
    private var available: Range<Int> = 0..<0

    /// `source` fills the buffer and gives the count; 0 at the end.
    init(entry: PackageEntry, file: String, source: @escaping (inout [UInt8]) throws(FormatError) -> Int) {
        self.entry = entry
        self.file = file
        self.source = source
    }

    /// The next bytes, as many as are at hand and at most `count`; empty at the end.
    func some(_ count: Int) throws(FormatError) -> ArraySlice<UInt8> {
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: 1 << 16) }
        if available.isEmpty { available = 0..<(try source(&buffer)) }
        let taken = available.lowerBound..<min(available.upperBound, available.lowerBound + count)
        available = taken.upperBound..<available.upperBound
        position += taken.count
        return buffer[taken]
    }

    /// Exactly `count` bytes; the entry ending before is an error of code `truncated`.
    func read(_ count: Int) throws(FormatError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(min(count, 1 << 24))
        while result.count < count {
            let piece = try some(count - result.count)
            if piece.isEmpty { throw truncated(needed: position + count - result.count) }
            result += piece
        }
        return result
    }

    /// Moves forward to `offset` from the start of the entry.
    func skip(to offset: Int) throws(FormatError) {
        while position < offset {
            if try some(offset - position).isEmpty { throw truncated(needed: offset) }
        }
    }

    /// Everything that is left.
    public func readAll(limit: Int) throws(FormatError) -> [UInt8] {
        var result: [UInt8] = []
        while true {
            let piece = try some(1 << 16)
            if piece.isEmpty { return result }
            if result.count + piece.count > limit { throw failure(.tooLarge, expected: "at most \(limit) bytes") }
            result += piece
        }
    }

    /// Reads to the end, so that the checksum is compared.
    func drain() throws(FormatError) { while try !some(1 << 16).isEmpty {} }

    private func truncated(needed: Int) -> FormatError {
        failure(.truncated, offset: position, expected: "\(needed) bytes", found: "\(position) bytes")
    }

    func failure(
        _ code: FormatError.Code, offset: Int? = nil, expected: String? = nil, found: String? = nil, detail: String? = nil
    ) -> FormatError {
        FormatError(code, file: file, entry: entry.name, offset: offset, expected: expected, found: found, detail: detail)
    }
}
