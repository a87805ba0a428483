import Basics
import Glibc

/// What is known about the bytes of a download in progress, in a file beside them: of which version of the server's file they are,
/// and how many of them no power cut can take any more.
///
///     flushed 00000000000001310720 5f0c8a2e-…
///     "33a64df551425fcc"
///
/// The first line has always the same length and is overwritten in place, within one sector; the second never changes.
struct PartialRecord: Equatable {
    /// The `ETag` or `Last-Modified` that the bytes came with.
    var validator: String
    var flushed = 0
    /// The life of the machine in which they were written: as long as it lasts, unflushed bytes are there as well.
    var boot: String?

    /// Made by the kernel when it starts; nil where it cannot be read.
    static let currentBoot: String? = (try? Files.read("/proc/sys/kernel/random/boot_id")).map {
        String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// Of a file of `size` bytes, those that are what was written. Behind them a power cut may have left zeros.
    func sound(of size: Int, boot: String? = currentBoot) -> Int {
        boot != nil && boot == self.boot ? size : min(flushed, size)
    }

    var firstLine: String {
        let digits = String(flushed)
        let (zeros, words) = (String(repeating: "0", count: max(0, 20 - digits.count)), (boot ?? "unknown").prefix(36))
        return "flushed \(zeros)\(digits) \(words)" + String(repeating: " ", count: 36 - words.count)
    }

    var text: String { firstLine + "\n" + validator }

    init(validator: String, flushed: Int = 0, boot: String? = currentBoot) {
        (self.validator, self.flushed, self.boot) = (validator, flushed, boot)
    }

    /// nil for what is torn or of somebody else: then nothing is known about the bytes.
    init?(_ text: String) {
        guard let end = text.firstIndex(of: "\n"), end > text.startIndex else { return nil }
        let words = text[..<end].split(separator: " ")
        guard words.count == 3, words[0] == "flushed", words[1].count == 20, let count = Int(words[1]), count >= 0 else {
            return nil
        }
        let validator = text[text.index(after: end)...]
        guard !validator.isEmpty, validator.allSatisfy({ $0 >= " " }) else { return nil }
        self.init(validator: String(validator), flushed: count, boot: words[2] == "unknown" ? nil : String(words[2]))
    }

    static func read(_ path: String) throws(SystemError) -> PartialRecord? {
        do throws(SystemError) {
            return PartialRecord(String(decoding: try Files.read(path, limit: 1 << 16), as: UTF8.self))
        } catch {
            if error.isNotFound { return nil }
            throw error
        }
    }
}
