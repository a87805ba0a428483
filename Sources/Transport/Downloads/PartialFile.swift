import Basics
import Glibc

/// The bytes that an earlier try left, hashed.
///
/// Unchecked: the hash is made on one thread, handed over whole, and used by the one download that asked for it.
struct PartialFile: @unchecked Sendable {
    var size = 0
    var hash = SHA256()

    /// Reads the whole file: blocks. A file that is not there has no bytes.
    static func read(_ path: String, url: String) throws(TransportError) -> PartialFile {
        do throws(SystemError) {
            var partial = PartialFile()
            try FileDescriptor.withOpen(path) { (file) throws(SystemError) in
                var buffer = [UInt8](repeating: 0, count: 1 << 20)
                while true {
                    let count = try file.read(into: &buffer)
                    if count == 0 { return }
                    buffer.withUnsafeBytes { partial.hash.update(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
                    partial.size += count
                }
            }
            return partial
        } catch {
            if error.isNotFound { return PartialFile() }
            throw TransportError(
                kind: .localStorage, message: "\(error.call): \(error.message)", url: url, systemCode: error.code)
        }
    }
}
