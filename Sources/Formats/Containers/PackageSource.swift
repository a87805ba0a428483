import Basics
import Glibc

/// A package on the disk: a zip, or the same tree unpacked in a folder.
enum PackageSource: Sendable {
    case zip(ZipReader)
    case folder(String)

    init(path: String) throws(FormatError) {
        if Files.isDirectory(path) {
            self = .folder(path)
            return
        }
        switch try ContainerKind.sniff(path) {
        case .zip: self = .zip(ZipReader(path: path))
        case let other: throw FormatError(.wrongKind, file: path, expected: "zip", found: other.label)
        }
    }

    var path: String {
        switch self {
        case .zip(let reader): reader.path
        case .folder(let path): path
        }
    }

    func walk(
        checkingSums: Bool = false, _ body: (PackageEntry, EntryStream) throws(FormatError) -> Void
    ) throws(FormatError) {
        switch self {
        case .zip(let reader): try reader.walk(checkingSums: checkingSums, body)
        case .folder(let path): try Self.walk(folder: path, below: "", body)
        }
    }

    /// Symbolic links are refused as in a zip.
    private static func walk(
        folder: String, below prefix: String, _ body: (PackageEntry, EntryStream) throws(FormatError) -> Void
    ) throws(FormatError) {
        let names = try withFormatErrors { () throws(SystemError) in try Files.list(Paths.join(folder, prefix)) }
        for name in names {
            let relative = Paths.join(prefix, name)
            let path = Paths.join(folder, relative)
            if Files.isDirectory(path) && !isLink(path) {
                try walk(folder: folder, below: relative, body)
                continue
            }
            let (size, file) = try withFormatErrors { () throws(SystemError) in
                (try Files.size(path), try FileDescriptor.open(path, flags: O_RDONLY | O_NOFOLLOW))
            }
            defer { file.close() }
            let entry = PackageEntry(rawName: Array(relative.utf8), name: relative, size: size, isDirectory: false)
            let stream = EntryStream(entry: entry, file: folder) { (buffer) throws(FormatError) in
                do throws(SystemError) { return try file.read(into: &buffer) } catch { throw FormatError(error) }
            }
            try body(entry, stream)
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && (info.st_mode & S_IFMT) == S_IFLNK
    }

    /// Bytes of the zip, or of all files of the folder.
    func totalBytes() throws(FormatError) -> Int {
        switch self {
        case .zip(let reader): return try withFormatErrors { () throws(SystemError) in try Files.size(reader.path) }
        case .folder:
            var sum = 0
            try walk { (entry, _) throws(FormatError) in sum += entry.size ?? 0 }
            return sum
        }
    }
}

extension ContainerKind {
    /// A word for errors as data.
    var label: String {
        switch self {
        case .sqlite: "sqlite"
        case .zip: "zip"
        case .json: "json"
        case .html: "html"
        case .gzip: "gzip"
        case .empty: "empty"
        case .unknown(let bytes): "bytes " + hexText(bytes)
        }
    }
}

/// `0d 0a 1a 0a`.
func hexText(_ bytes: some Collection<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
