import Basics
import Foundation
import Glibc
import Planning

/// A file that is held by `flock`, so the kernel frees it when the process dies, however it dies. Holder and start are inside.
public final class RunLock: Sendable {
    public struct Holder: Codable, Sendable, Equatable {
        public var pid: Int32
        public var host: String
        public var started: Date
    }

    public enum LockError: Error, Sendable, Equatable {
        /// Another live run has it.
        case held(Holder?)
        case system(SystemError)
    }

    private let file: FileDescriptor
    /// The lock was left behind by a process that died without finishing.
    public let takenOverFrom: Holder?

    public init(path: String, now: Date) throws(LockError) {
        let file: FileDescriptor
        do { file = try FileDescriptor.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW) } catch { throw .system(error) }
        let before = Self.holder(path)
        if flock(file.raw, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            file.close()
            if code == EWOULDBLOCK { throw .held(before) }
            throw .system(SystemError(call: "flock", path: path, code: code))
        }
        self.file = file
        takenOverFrom = before
        let holder = Holder(pid: getpid(), host: ProcessInfo.processInfo.hostName, started: now)
        do {
            ftruncate(file.raw, 0)
            lseek(file.raw, 0, SEEK_SET)
            try file.write(Array(((try? JSON.encoding(holder).serialized()) ?? "").utf8)[...])
        } catch {
            file.close()
            throw .system(error)
        }
    }

    /// Who has the lock, for those who only look.
    public enum Standing: Sendable, Equatable {
        case free
        case held(Holder?)
        /// Its process is gone without having finished.
        case abandoned(Holder)
    }

    /// Takes nothing and changes nothing: a shared lock is asked for and given back at once.
    public static func standing(path: String) -> Standing {
        let holder = holder(path)
        guard let file = try? FileDescriptor.open(path) else { return .free }
        defer { file.close() }
        if flock(file.raw, LOCK_SH | LOCK_NB) != 0 { return .held(holder) }
        return holder.map(Standing.abandoned) ?? .free
    }

    /// An empty file means that nobody holds it and that the last holder ended in order. Closing would not do: a process that is just
    /// being started has a copy of the file, and the lock is the copy's as well.
    public func release() {
        ftruncate(file.raw, 0)
        flock(file.raw, LOCK_UN)
        file.close()
    }

    private static func holder(_ path: String) -> Holder? {
        guard let bytes = try? Files.read(path), !bytes.isEmpty else { return nil }
        return try? JSON.parse(bytes).decoded(as: Holder.self)
    }
}
