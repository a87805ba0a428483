import Basics
import Glibc

/// The bytes that an earlier try left, hashed.
///
/// Unchecked: the hash is made on one thread, handed over whole, and used by the one download that asked for it.
struct PartialFile: @unchecked Sendable {
    var size = 0
    var hash = SHA256()
    /// nil when there is nothing to go on from.
    var record: PartialRecord?

    /// Reads the whole file: blocks. Without a record no byte counts; what is behind the sound ones is cut off.
    static func read(_ target: DownloadTarget, url: String) throws(TransportError) -> PartialFile {
        do throws(SystemError) {
            guard let record = try PartialRecord.read(target.recordPath) else { return PartialFile() }
            var partial = PartialFile()
            partial.record = record
            let (size, sound) = (try Files.size(target.path), record.sound(of: try Files.size(target.path)))
            if sound < size { try Files.truncate(target.path, to: sound) }
            try FileDescriptor.withOpen(target.path) { (file) throws(SystemError) in
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
