import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Execution

@Suite struct RunLockTests {
    /// A process that is being started has copies of all open files until it becomes its program; `flock` belongs to the copies, too.
    @Test func aReleasedLockIsFreeWhoeverHasACopyOfItsFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        let lock = try RunLock(path: path, now: Date())
        let own = try #require(
            try Files.list("/proc/self/fd").compactMap(Int32.init).first {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
            })
        let copy = dup(own)
        defer { close(copy) }
        lock.release()
        #expect(RunLock.standing(path: path) == .free)
        let next = try RunLock(path: path, now: Date())
        #expect(next.takenOverFrom == nil)
        next.release()
    }
}
