import Basics
import Glibc
import TestSupport

/// A file system of a few megabytes.
struct TinyDisk: Sendable {
    let path: String

    /// Only who may mount one can try full disks.
    static let isPossible: Bool = {
        guard getuid() == 0, let folder = try? TemporaryFolder(), let disk = try? TinyDisk(folder.file("probe"), megabytes: 1)
        else { return false }
        disk.unmount()
        return true
    }()

    init(_ path: String, megabytes: Int) throws {
        self.path = path
        try Files.makeDirectory(path)
        guard mount("none", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            throw SystemError(call: "mount", path: path, code: errno)
        }
    }

    func closeForWriting() throws {
        guard mount("none", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0 else {
            throw SystemError(call: "mount", path: path, code: errno)
        }
    }

    func unmount() { umount2(path, Int32(MNT_DETACH)) }
}
