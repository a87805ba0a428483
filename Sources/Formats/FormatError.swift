import Basics

/// Why a file is not what it should be: what was found where, with the library's own words when a library said it.
public struct FormatError: Error, Hashable, Sendable, Codable {
    public enum Code: String, Hashable, Sendable, Codable {
        /// The operating system refused; `detail` has its words.
        case unreadable
        /// The file ends before its content does.
        case truncated
        /// A checksum, a compressed stream or a database page is broken; `detail` has the library's words.
        case damaged
        /// Another kind of file than the caller asked for.
        case wrongKind
        /// A part that the format demands is not there; `expected` names it.
        case missing
        /// A field holds another value than the format demands.
        case unexpected
        /// An index points outside of the file.
        case outOfBounds
        /// JSON or XML that does not parse, or lacks its meaning.
        case malformed
        /// An entry that would leave the folder it is unpacked into, or a link.
        case unsafeName
        /// More than the reader's limit.
        case tooLarge
        /// The writer was used against its rules; the file is not finished.
        case misuse
    }

    public var code: Code
    public var file: String
    /// The entry of a package or the table of a database.
    public var entry: String?
    /// Bytes from the start of the entry, or of the file when there is no entry.
    public var offset: Int?
    public var expected: String?
    public var found: String?
    public var detail: String?

    public init(
        _ code: Code, file: String, entry: String? = nil, offset: Int? = nil, expected: String? = nil, found: String? = nil,
        detail: String? = nil
    ) {
        self.code = code
        self.file = file
        self.entry = entry
        self.offset = offset
        self.expected = expected
        self.found = found
        self.detail = detail
    }

    init(_ error: SystemError) {
        self.init(.unreadable, file: error.path, detail: "\(error.call): \(error.message)")
    }
}

/// Runs `body` and gives its system errors the type of this module.
func withFormatErrors<Value>(_ body: () throws(SystemError) -> Value) throws(FormatError) -> Value {
    do throws(SystemError) { return try body() } catch { throw FormatError(error) }
}
