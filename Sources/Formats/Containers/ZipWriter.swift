import Basics
import CArchive
import Glibc

/// Writes a zip whose entries are stored, not deflated, as Esri's packages are (formats.md 1.5, 1.6). Equal entries make
/// equal bytes: entries carry no time. Zip64 fields appear only where a size needs them.
///
/// Every call blocks. Not `Sendable`: one owner. Without `finish` the file is not a zip.
public final class ZipWriter {
    public let path: String
    private var archive: OpaquePointer?
    /// `AE_IFREG`, a cast that Swift cannot import.
    private static let regularFile: UInt32 = 0o100000

    /// Creates or replaces the file at `path`.
    public init(path: String) throws(FormatError) {
        self.path = path
        guard let archive = archive_write_new() else { throw FormatError(.unreadable, file: path, detail: "out of memory") }
        self.archive = archive
        try check(archive_write_set_format_zip(archive))
        try check(archive_write_zip_set_compression_store(archive))
        try check(archive_write_open_filename(archive, path))
    }

    deinit {
        guard let archive else { return }
        // Closing gives back the file and the buffers, which giving up (`archive_write_fail`) would keep; it also writes the directory that
        // would make a zip of what is there, so nothing is left there.
        archive_write_close(archive)
        archive_write_free(archive)
        truncate(path, 0)
    }

    /// Adds one file. The name is relative, with `/` between folders.
    public func add(_ name: String, _ bytes: some Collection<UInt8>) throws(FormatError) {
        let content = Array(bytes)
        try open(name, size: content.count)
        try write(content[...], name)
        try close(name)
    }

    public func add(_ name: String, _ text: String) throws(FormatError) { try add(name, Array(text.utf8)) }

    /// Adds one file from the disk, in pieces of 1 MiB.
    public func add(_ name: String, file source: String) throws(FormatError) {
        let size = try withFormatErrors { () throws(SystemError) in try Files.size(source) }
        try open(name, size: size)
        let file = try withFormatErrors { () throws(SystemError) in try FileDescriptor.open(source) }
        defer { file.close() }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var written = 0
        while true {
            let count = try withFormatErrors { () throws(SystemError) in try file.read(into: &buffer) }
            if count == 0 { break }
            try write(buffer[0..<count], name)
            written += count
        }
        // libarchive pads a short entry with zeros without a word.
        guard written == size else {
            throw FormatError(.truncated, file: source, expected: "\(size) bytes", found: "\(written) bytes")
        }
        try close(name)
    }

    /// Writes the directory and closes the file.
    public func finish() throws(FormatError) {
        guard let archive else { throw FormatError(.misuse, file: path, detail: "finished twice") }
        try UTF8Locale.run { () throws(FormatError) in try check(archive_write_close(archive)) }
        archive_write_free(archive)
        self.archive = nil
    }

    private func open(_ name: String, size: Int) throws(FormatError) {
        guard let archive else { throw FormatError(.misuse, file: path, entry: name, detail: "already finished") }
        guard EntryName.isSafe(Array(name.utf8)) else { throw FormatError(.unsafeName, file: path, entry: name) }
        guard let entry = archive_entry_new2(archive) else {
            throw FormatError(.unreadable, file: path, detail: "out of memory")
        }
        defer { archive_entry_free(entry) }
        try UTF8Locale.run { () throws(FormatError) in
            archive_entry_set_pathname(entry, name)
            archive_entry_set_filetype(entry, Self.regularFile)
            archive_entry_set_perm(entry, 0o644)
            archive_entry_set_size(entry, Int64(size))
            try check(archive_write_header(archive, entry), name)
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>, _ name: String) throws(FormatError) {
        let result: Int = bytes.withUnsafeBytes { buffer in
            var rest = buffer
            while let base = rest.baseAddress, !rest.isEmpty {
                let count = archive_write_data(archive, base, rest.count)
                if count <= 0 { return -1 }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return 0
        }
        if result < 0 { throw failure(name) }
    }

    private func close(_ name: String) throws(FormatError) { try check(archive_write_finish_entry(archive), name) }

    private func check(_ result: Int32, _ name: String? = nil) throws(FormatError) {
        if result < ARCHIVE_WARN { throw failure(name) }
    }

    private func failure(_ name: String?) -> FormatError {
        let words = archive_error_string(archive).map { String(cString: $0) }
        return FormatError(.unreadable, file: path, entry: name, detail: words ?? "libarchive gave no reason")
    }
}
