import Basics
import Dispatch
import Glibc
import Synchronization

/// The file of a download: written by the engine's thread, flushed beside it, so that no transfer waits for the disk.
///
/// The record says only what is flushed already. It has its name before the first bytes are flushed: an older record never
/// stands beside newer bytes.
final class GrowingFile: Sendable {
    private struct State {
        var size: Int
        var pace: FlushPace
        var failure: SystemError?
        /// A look whether a flush is due will come.
        var isAwaited = false
        /// The record and its name are on the disk.
        var isRecordSafe = false
    }

    /// Serial: one disk, one flush. Its time in line counts as time of the flush, so many downloads flush as much as one.
    private static let queue = DispatchQueue(label: "offline-batch.flush", qos: .userInitiated)

    private let file: FileDescriptor
    private let record: (file: FileDescriptor, content: PartialRecord)?
    private let state: Mutex<State>

    /// From nothing.
    /// - Parameter validator: without one the file cannot go on after a kill, and gets no record.
    convenience init(path: String, recordPath: String, validator: String?) throws(SystemError) {
        // Before the file changes. Durable, or the old record might come back beside new bytes.
        if Files.exists(recordPath) {
            try Files.remove(recordPath)
            try Files.syncDirectory(Paths.parent(recordPath))
        }
        let file = try FileDescriptor.open(path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        try self.init(file, recordPath: recordPath, validator: validator)
    }

    /// Takes the file over, which is empty, and closes it.
    init(_ file: FileDescriptor, recordPath: String, validator: String?) throws(SystemError) {
        self.file = file
        state = Mutex(State(size: 0, pace: FlushPace(flushed: 0, at: .now)))
        guard let validator else {
            record = nil
            return
        }
        let content = PartialRecord(validator: validator)
        let place: FileDescriptor
        do throws(SystemError) {
            place = try FileDescriptor.open(recordPath, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
        } catch {
            file.close()
            throw error
        }
        record = (place, content)
        try place.write(Array(content.text.utf8)[...])
    }

    /// Behind the bytes that are there.
    init(path: String, recordPath: String, goingOn partial: PartialFile) throws(SystemError) {
        file = try FileDescriptor.open(path, flags: O_WRONLY | O_APPEND | O_NOFOLLOW)
        state = Mutex(State(size: partial.size, pace: FlushPace(flushed: partial.record?.flushed ?? 0, at: .now)))
        guard let content = partial.record else {
            record = nil
            return
        }
        do throws(SystemError) {
            record = (try FileDescriptor.open(recordPath, flags: O_WRONLY | O_NOFOLLOW), content)
        } catch {
            file.close()
            throw error
        }
    }

    /// Whoever is the last to use it: the engine's thread or a flush.
    deinit {
        file.close()
        record?.file.close()
    }

    /// A flush that failed fails the write behind it: the kernel tells only once that bytes are lost.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        if let failure = state.withLock(\.failure) { throw failure }
        try file.write(bytes)
        state.withLock { $0.size += bytes.count }
        expectFlush(.now)
    }

    /// All of it, with its record.
    func flushed() async throws(SystemError) {
        await withCheckedContinuation { continuation in
            Self.queue.async { [self] in
                flush(from: .now)
                continuation.resume()
            }
        }
        if let failure = state.withLock(\.failure) { throw failure }
    }

    /// Sees to it that what is not flushed will be, however long nothing else comes.
    private func expectFlush(_ earliest: ContinuousClock.Instant) {
        guard record != nil else { return }
        let moment = state.withLock { state -> ContinuousClock.Instant? in
            guard !state.isAwaited, state.failure == nil, state.size > state.pace.flushed else { return nil }
            state.isAwaited = true
            return max(state.pace.next, earliest)
        }
        guard let moment else { return }
        let pause = ContinuousClock.now.duration(to: moment)
        Self.queue.asyncAfter(deadline: .now() + max(0, pause.seconds)) { [self] in
            let isDue = state.withLock { state in
                state.isAwaited = false
                return state.pace.isDue(state.size, at: .now)
            }
            if isDue { flush(from: moment) }
            expectFlush(.now + FlushPace.interval)
        }
    }

    /// Blocks. On the queue only, so one at a time.
    /// - Parameter moment: when it was due.
    private func flush(from moment: ContinuousClock.Instant) {
        let (size, isRecordSafe, failure) = state.withLock { ($0.size, $0.isRecordSafe, $0.failure) }
        if failure != nil { return }
        do throws(SystemError) {
            if let record, !isRecordSafe {
                try record.file.sync()
                try Files.syncDirectory(Paths.parent(record.file.path))
            }
            try file.syncData()
            if var record {
                record.content.flushed = size
                record.content.boot = PartialRecord.currentBoot
                try record.file.write(Array(record.content.firstLine.utf8), at: 0)
                try record.file.syncData()
            }
            state.withLock { state in
                state.isRecordSafe = true
                state.pace.flushed(size, from: moment, to: .now)
            }
        } catch {
            // What the file holds now is unknown: it must not be continued.
            if let record { try? Files.remove(record.file.path) }
            state.withLock { $0.failure = error }
        }
    }
}
