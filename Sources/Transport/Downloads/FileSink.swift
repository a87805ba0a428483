import Basics
import Glibc

/// Writes the body of a 200 or 206 to the target and hashes it; other answers stay in memory.
///
/// Writing happens where the bytes arrive, on the engine's thread: in order and without a second copy. The bytes go to the page
/// cache; `GrowingFile` flushes them on the way, and the caller what is left at the end.
final class FileSink: BodySink {
    private enum Mode {
        /// The head has not been looked at.
        case undecided
        case file(GrowingFile)
        /// Not a file: an error page or a "range not satisfiable".
        case memory
    }

    /// The answer to a range does not fit the bytes that are there: start again without them.
    private(set) var rangeMismatch = false
    private(set) var failure: SinkFailure?
    /// Bytes of the file so far, those of earlier tries included.
    private(set) var size: Int
    private(set) var transferred = 0
    /// What the answer promised for the whole file.
    private(set) var expectedSize: Int?
    /// Of the bytes in the file.
    private(set) var validator: String?
    /// What is to be flushed at the end.
    private(set) var file: GrowingFile?
    private let target: DownloadTarget
    private let partial: PartialFile
    private var hash: SHA256
    private var mode = Mode.undecided
    private let memory = MemorySink(limit: 1 << 20, cutsAtLimit: true)
    private let progress: @Sendable (Int) -> Void

    init(target: DownloadTarget, partial: PartialFile, progress: @escaping @Sendable (Int) -> Void) {
        self.target = target
        self.progress = progress
        self.partial = partial
        size = partial.size
        hash = partial.hash
        validator = partial.record?.validator
    }

    var body: [UInt8] { memory.bytes }

    /// Call once, after the end.
    func finalHash() -> String { hash.finalize() }

    func receive(_ bytes: UnsafeRawBufferPointer, head: ResponseHead) -> Bool {
        do throws(SystemError) {
            if case .undecided = mode { try decide(head) }
            switch mode {
            case .undecided: return false
            case .memory: return !rangeMismatch && memory.receive(bytes, head: head)
            case .file(let file):
                try file.write(bytes)
                hash.update(bytes)
                size += bytes.count
                transferred += bytes.count
                progress(size)
                return true
            }
        } catch {
            failure = SinkFailure(kind: .localStorage, message: "\(error.call): \(error.message)", systemCode: error.code)
            return false
        }
    }

    /// An answer without a body still makes an empty file. False when local storage refused.
    func finish(head: ResponseHead) -> Bool {
        if case .undecided = mode { return receive(UnsafeRawBufferPointer(start: nil, count: 0), head: head) }
        return failure == nil
    }

    private func decide(_ head: ResponseHead) throws(SystemError) {
        mode = .memory
        if head.status == 206 {
            guard let range = ContentRange(head.headers["Content-Range"]), range.start == partial.size, partial.size > 0
            else {
                rangeMismatch = true
                return
            }
            expectedSize = range.total ?? range.end + 1
            try checkSpace()
            try write(to: GrowingFile(path: target.path, recordPath: target.recordPath, goingOn: partial))
        } else if head.status == 200 {
            expectedSize = head.headers["Content-Length"].flatMap { Int($0) }
            size = 0
            hash = SHA256()
            validator = head.validator
            try checkSpace()
            try write(to: GrowingFile(path: target.path, recordPath: target.recordPath, validator: validator))
        }
    }

    private func write(to file: GrowingFile) {
        self.file = file
        mode = .file(file)
    }

    /// Bytes that are there stay, or make room for those that come.
    private func checkSpace() throws(SystemError) {
        guard let expectedSize else { return }
        try Files.requireSpace(
            for: expectedSize - ((try? Files.size(target.path)) ?? 0), in: Paths.parent(target.path))
    }
}
