import Basics

/// The first 100 bytes of a SQLite file: enough to tell a cut download from a whole one.
struct GeodatabaseHeader {
    /// "Esri" (formats.md 3.1).
    static let esri = 0x4573_7269

    var applicationID: Int
    var fileSize: Int

    static func check(_ path: String) throws(FormatError) { _ = try read(path) }

    static func read(_ path: String) throws(FormatError) -> GeodatabaseHeader {
        let (bytes, size) = try withFormatErrors { () throws(SystemError) in
            let bytes = try FileDescriptor.withOpen(path) { (file) throws(SystemError) in
                var buffer = [UInt8](repeating: 0, count: 100)
                let count = try file.read(into: &buffer)
                return Array(buffer[0..<count])
            }
            return (bytes, try Files.size(path))
        }
        let kind = ContainerKind.of(bytes)
        guard kind == .sqlite else { throw FormatError(.wrongKind, file: path, expected: "sqlite", found: kind.label) }
        guard bytes.count == 100 else { throw FormatError(.truncated, file: path, expected: "100 bytes", found: "\(size) bytes") }
        func word(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let stored = Int(bytes[16]) << 8 | Int(bytes[17])
        let pageSize = stored == 1 ? 65536 : stored
        // The page count is only good when the change counters agree.
        if word(24) == word(92), word(28) * pageSize > size {
            throw FormatError(.truncated, file: path, expected: "\(word(28) * pageSize) bytes", found: "\(size) bytes")
        }
        return GeodatabaseHeader(applicationID: word(68), fileSize: size)
    }
}
