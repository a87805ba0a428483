import Basics

/// What a downloaded file is by its first bytes. A server may send an error page where a package was expected.
public enum ContainerKind: Sendable, Hashable {
    case sqlite
    case zip
    case json
    case html
    case gzip
    case empty
    /// The first bytes, at most 16.
    case unknown([UInt8])

    public static func sniff(_ path: String) throws(FormatError) -> ContainerKind {
        let start = try withFormatErrors { () throws(SystemError) in
            try FileDescriptor.withOpen(path) { (file) throws(SystemError) in
                var buffer = [UInt8](repeating: 0, count: 512)
                let count = try file.read(into: &buffer)
                return Array(buffer[0..<count])
            }
        }
        return of(start)
    }

    /// The kind of content that starts with these bytes.
    public static func of(_ start: [UInt8]) -> ContainerKind {
        if start.isEmpty { return .empty }
        if start.starts(with: Array("SQLite format 3\0".utf8)) { return .sqlite }
        // A zip without entries starts with its directory's end.
        if start.starts(with: [0x50, 0x4B, 3, 4]) || start.starts(with: [0x50, 0x4B, 5, 6]) { return .zip }
        if start.starts(with: Gzip.magic) { return .gzip }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = (start.starts(with: mark) ? start.dropFirst(3) : start[...]).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        switch text.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
        case UInt8(ascii: "<"):
            let tag = String(decoding: text.prefix(20), as: UTF8.self).lowercased()
            if ["<!doctype html", "<html", "<head", "<body", "<!--"].contains(where: tag.hasPrefix) { return .html }
        default: break
        }
        return .unknown(Array(start.prefix(16)))
    }
}
