import Glibc
import TestSupport
import Testing

@testable import Basics

/// What programs get of ours: what they need, and nothing that happens to be open or blocked.
@Suite struct ChildSurroundingsTests {
    private func run(_ words: [String]) throws -> [String] {
        let output = try ChildProcess.run(words, environment: ["PATH": "/usr/bin:/bin"], seconds: 60)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func aProgramGetsItsOwnStreamsAndNoOtherFile() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically([1], to: folder.file("secret"))
        // As libraries open theirs, and the other tests of this process.
        let held = open(folder.file("secret"), O_RDONLY)
        defer { close(held) }
        #expect(fcntl(held, F_GETFD) & FD_CLOEXEC == 0)
        let places = try run(["/bin/sh", "-c", "for fd in /proc/$$/fd/*; do readlink $fd; done; true"])
        #expect(places.count == 3 && places.first == "/dev/null" && places.last == "/dev/null", "\(places)")
        #expect(places.dropFirst().first?.hasPrefix("socket:") == true)
    }

    @Test func noSignalIsBlockedOrIgnored() throws {
        signal(SIGPIPE, SIG_IGN)
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let lines = try run(["grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"])
        let masks = lines.compactMap { UInt64($0.suffix(16), radix: 16) }
        // 32 and 33 are the C library's own.
        #expect(masks.count == 2 && masks[0] == 0 && masks[1] & 0x7FFF_FFFF == 0, "\(lines)")
    }
}
