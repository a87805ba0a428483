import Basics
import Foundation
import Glibc
import TestSupport
import Testing

/// Who may write in a folder of ours can put a pipe or a socket in the place of a file. Nothing waits for its other end.
@Suite struct PlantedPipeTests {
    private let folder: TemporaryFolder
    private let pipe: String

    init() throws {
        folder = try TemporaryFolder()
        pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
    }

    private func notAFile(_ path: String, call: String = "open") -> SystemError {
        SystemError(call: call, path: path, code: SystemError.notAFile)
    }

    @Test func aPipeIsNoFile() throws {
        for flags in [O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, O_RDWR | O_CREAT] {
            #expect(throws: notAFile(pipe)) { try FileDescriptor.open(pipe, flags: flags) }
        }
        #expect(throws: notAFile(pipe)) { try Files.read(pipe) }
        #expect(throws: notAFile(pipe)) { try Files.syncFile(pipe) }
        #expect(throws: notAFile(pipe)) { try Files.makeFile(pipe, mode: 0o600) }
        #expect(throws: notAFile(pipe)) { try SHA256.hex(ofFile: pipe) }
        #expect(throws: notAFile(pipe, call: "stat")) { try Files.size(pipe) }
        // Through a link, too, and with somebody at the other end.
        symlink(pipe, folder.file("link"))
        let reader = open(pipe, O_RDWR)
        defer { close(reader) }
        #expect(throws: notAFile(folder.file("link"))) { try Files.read(folder.file("link")) }
        #expect(throws: notAFile(pipe)) { try FileDescriptor.open(pipe, flags: O_WRONLY) }
        #expect(notAFile(pipe).message == "It is not a file but a pipe, a socket or a device")
    }

    @Test func socketsAndDevicesAreNoFiles() throws {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        let path = folder.file("s")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        try #require(path.utf8.count < 100)
        #expect(
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(server, $0, size) }
            } == 0)
        #expect(throws: notAFile(path)) { try Files.read(path) }
        #expect(throws: notAFile("/dev/zero")) { try Files.read("/dev/zero", takesPipes: true) }
        #expect(throws: notAFile("/dev/null")) { try FileDescriptor.open("/dev/null", flags: O_WRONLY) }
        #expect(throws: SystemError(call: "open", path: folder.path, code: EISDIR)) { try Files.read(folder.path) }
    }

    /// What is to come in its place takes its place.
    @Test func aFileReplacesAPipe() throws {
        try Files.writeAtomically(Array("new".utf8), to: pipe)
        #expect(try Files.read(pipe) == Array("new".utf8))
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes devices")) func noFileReplacesADevice() throws {
        let device = folder.file("null")
        try #require(mknod(device, S_IFCHR | 0o600, 1 << 8 | 3) == 0)
        #expect(throws: notAFile(device, call: "replace")) { try Files.writeAtomically([], to: device) }
        #expect(try FileStatus.of(device).kind == .other)
    }

    @Test(arguments: ["", "-journal", "-wal"])
    func sqliteWaitsForNoPipe(ending: String) throws {
        let path = folder.file("state.db")
        if !ending.isEmpty {
            do { try SQLiteConnection(path: path).execute("PRAGMA journal_mode = WAL; CREATE TABLE t (v)") }
            try Files.remove(path + ending)
        }
        #expect(mkfifo(path + ending, 0o600) == 0)
        for access in [SQLiteConnection.Access.readOnly, .readWrite, .readOnlyImmutable] {
            let error = #expect(throws: SQLiteError.self) { try SQLiteConnection(path: path, access: access) }
            #expect(error?.isOfTheMachine == true && error?.message.contains("not a file but a pipe") == true)
        }
    }

    // MARK: - Pipes that a person has named

    /// As a shell makes them for `<(…)`. The writer has a thread of its own: all others may be taken, and the reader waits for a minute only.
    @Test func aPipeThatSomebodyNamedIsReadToItsEnd() async throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        #expect(Glibc.pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        // A program that another test starts would hold it open.
        #expect(fcntl(writer, F_SETFD, FD_CLOEXEC) == 0)
        defer { close(reader) }
        let written = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let sender = Thread {
            // More than a pipe holds, and not all at once.
            for piece in [written[..<10], written[10..<200_000], written[200_000...]] {
                usleep(50_000)
                try? FileDescriptor(raw: writer, path: "").write(piece)
            }
            close(writer)
        }
        sender.start()
        let read = try await offPool { () throws(SystemError) in try Files.read("/proc/self/fd/\(reader)", takesPipes: true) }
        #expect(read == written)
    }

    @Test func aPipeWithoutAnotherEndIsEmpty() throws {
        #expect(try Files.read(pipe, takesPipes: true) == [])
    }

    @Test func aPipeWithoutEndIsNotReadToItsEnd() throws {
        let end = open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(end) }
        [UInt8](repeating: 7, count: 5000).withUnsafeBytes { #expect(write(end, $0.baseAddress, $0.count) == 5000) }
        #expect(throws: SystemError(call: "read", path: pipe, code: EFBIG)) {
            try Files.read(pipe, limit: 4999, takesPipes: true)
        }
    }

    /// Samba and NFS servers lease files; who opens one waits until it is given back.
    @Test func aFileThatIsLeasedIsWaitedFor() async throws {
        let path = folder.file("leased")
        try Files.writeAtomically(Array("leased".utf8), to: path)
        signal(SIGIO, SIG_IGN)
        let holder = open(path, O_RDONLY)
        defer { close(holder) }
        // F_SETLEASE and F_RDLCK of fcntl.h, which Swift does not import.
        try #require(fcntl(holder, 1024, 0) == 0)
        async let given: Void = offPool { () throws(Never) in
            usleep(200_000)
            _ = fcntl(holder, 1024, Int32(F_UNLCK))
        }
        let began = ContinuousClock.now
        try await offPool { () throws(SystemError) in try FileDescriptor.open(path, flags: O_WRONLY).close() }
        #expect(began.duration(to: .now) > .milliseconds(100))
        await given
    }
}
