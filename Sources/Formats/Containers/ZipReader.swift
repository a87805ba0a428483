import Basics
import CArchive
import Glibc

/// Reads a zip through libarchive, by its directory at the end: a file that was cut short has none and is refused.
/// Entries that would leave the folder, links, and second entries of one name, of which every reader takes another, are refused wherever
/// they are met. Every call blocks.
public struct ZipReader: Sendable {
    public let path: String
    /// What the entries may unpack to, whatever the size of the file.
    private let freeBytes: Int
    /// And beyond that, as a multiple of the file's size. Packages of tiles are stored or hold what is compressed already; the densest
    /// that deflate can make is 1030 to 1.
    private static let maximumRatio = 100

    public init(path: String) { self.init(path: path, freeBytes: 1 << 30) }

    init(path: String, freeBytes: Int) {
        self.path = path
        self.freeBytes = freeBytes
    }

    public func entries() throws(FormatError) -> [PackageEntry] {
        var result: [PackageEntry] = []
        try walk { (entry, _) throws(FormatError) in result.append(entry) }
        return result
    }

    /// The content of the entry called `name`, its checksum compared; nil when there is none.
    public func read(_ name: String, limit: Int = 1 << 28) throws(FormatError) -> [UInt8]? {
        var content: [UInt8]?
        try walk { (entry, stream) throws(FormatError) in
            if content == nil, entry.name == name { content = try stream.readAll(limit: limit) }
        }
        return content
    }

    /// One pass over all entries in file order. What `body` leaves unread is skipped; with `checkingSums` it is read too, so
    /// that every checksum is compared.
    public func walk(
        checkingSums: Bool = false, _ body: (PackageEntry, EntryStream) throws(FormatError) -> Void
    ) throws(FormatError) {
        guard let archive = archive_read_new() else { throw FormatError(.unreadable, file: path, detail: "out of memory") }
        defer { archive_read_free(archive) }
        archive_read_support_format_zip_seekable(archive)
        try UTF8Locale.run { () throws(FormatError) in
            let size = try open(archive)
            let limit = max(freeBytes, size.multipliedReportingOverflow(by: Self.maximumRatio).partialValue)
            var unpacked = 0
            var names: Set<[UInt8]> = []
            var header: OpaquePointer?
            while true {
                let status = archive_read_next_header(archive, &header)
                if status == ARCHIVE_EOF { return }
                guard status >= ARCHIVE_WARN, let header else { throw failure(archive, .damaged) }
                let entry = try describe(header)
                guard names.insert(entry.rawName).inserted else {
                    throw FormatError(.unsafeName, file: path, entry: entry.name, found: "a second entry of this name")
                }
                let stream = EntryStream(entry: entry, file: path) { (buffer) throws(FormatError) in
                    let count = buffer.withUnsafeMutableBytes { archive_read_data(archive, $0.baseAddress, $0.count) }
                    if count < 0 { throw failure(archive, .damaged, entry: entry.name) }
                    unpacked += count
                    if unpacked > limit {
                        throw FormatError(
                            .tooLarge, file: path, entry: entry.name, expected: "at most \(limit) bytes from a file of \(size)")
                    }
                    return count
                }
                try body(entry, stream)
                if checkingSums && !entry.isDirectory { try stream.drain() }
            }
        }
    }

    /// The size of the file.
    private func open(_ archive: OpaquePointer) throws(FormatError) -> Int {
        let size = try withFormatErrors { () throws(SystemError) in try Files.size(path) }
        if size == 0 { throw FormatError(.truncated, file: path, expected: "a zip", found: "an empty file") }
        if archive_read_open_filename(archive, path, 1 << 17) == ARCHIVE_OK { return size }
        let startsAsZip = (try? ContainerKind.sniff(path)) == .zip
        throw failure(archive, startsAsZip ? .truncated : .wrongKind)
    }

    private func describe(_ header: OpaquePointer) throws(FormatError) -> PackageEntry {
        let raw = archive_entry_pathname(header).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
        let name = EntryName.display(raw)
        let isLink = archive_entry_symlink(header) != nil || archive_entry_hardlink(header) != nil
        let type = archive_entry_filetype(header)
        guard EntryName.isSafe(raw), !isLink, type == Self.regularFile || type == Self.directory else {
            throw FormatError(.unsafeName, file: path, entry: name, found: isLink ? "a link" : nil)
        }
        return PackageEntry(
            rawName: raw, name: name, size: archive_entry_size_is_set(header) != 0 ? Int(archive_entry_size(header)) : nil,
            isDirectory: type == Self.directory)
    }

    /// `AE_IFREG` and `AE_IFDIR`, casts that Swift cannot import.
    private static let regularFile: UInt32 = 0o100000
    private static let directory: UInt32 = 0o040000

    private func failure(_ archive: OpaquePointer, _ code: FormatError.Code, entry: String? = nil) -> FormatError {
        let words = archive_error_string(archive).map { String(cString: $0) }
        return FormatError(code, file: path, entry: entry, detail: words ?? "libarchive gave no reason")
    }
}
