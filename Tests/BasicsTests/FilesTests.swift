import Basics
import Glibc
import TestSupport
import Testing

@Suite struct FilesTests {
    private func text(_ path: String) throws -> String { String(decoding: try Files.read(path), as: UTF8.self) }

    @Test func writeAtomicallyReplacesAndLeavesNothingBeside() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a")
        try Files.writeAtomically(Array("one".utf8), to: path)
        try Files.writeAtomically(Array("two".utf8), to: path, mode: 0o600)
        #expect(try text(path) == "two" && Files.size(path) == 3)
        #expect(try Files.list(folder.path) == ["a"])
        var info = stat()
        #expect(stat(path, &info) == 0 && info.st_mode & 0o777 == 0o600)
    }

    @Test func nobodysLinkIsWrittenThrough() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array("precious".utf8), to: folder.file("precious"))
        // Where the bytes are gathered; the name can be guessed.
        symlink(folder.file("precious"), folder.file("report.\(getpid()).partial"))
        try Files.writeAtomically(Array("new".utf8), to: folder.file("report"))
        // In the place of the file itself: the link is replaced, not what it leads to.
        symlink(folder.file("precious"), folder.file("linked"))
        try Files.writeAtomically(Array("new".utf8), to: folder.file("linked"))
        #expect(try text(folder.file("precious")) == "precious")
        #expect(try text(folder.file("report")) == "new" && text(folder.file("linked")) == "new")
        #expect(try FileStatus.of(folder.file("report")).kind == .file && FileStatus.of(folder.file("linked")).kind == .file)

        symlink(folder.file("absent"), folder.file("made"))
        #expect(throws: SystemError(call: "open", path: folder.file("made"), code: ELOOP)) {
            try Files.makeFile(folder.file("made"), mode: 0o600)
        }
        #expect(!Files.exists(folder.file("absent")))
        try Files.makeFile(folder.file("private"), mode: 0o600)
        #expect(Files.mode(folder.file("private")) == 0o600)
        #expect(throws: SystemError(call: "mkdir", path: folder.path, code: EEXIST)) { try Files.makeNewDirectory(folder.path) }
    }

    @Test func aReaderThatHasTheOldFileOpenKeepsIt() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array("old".utf8), to: folder.file("a"))
        let open = try FileDescriptor.open(folder.file("a"))
        defer { open.close() }
        try Files.writeAtomically(Array("newer".utf8), to: folder.file("a"))
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(try open.read(into: &buffer) == 3 && buffer.starts(with: Array("old".utf8)))
    }

    @Test func failedWriteSaysWhyAndLeavesNothing() throws {
        let folder = try TemporaryFolder()
        do {
            try Files.writeAtomically([1], to: folder.file("no/a"))
            Issue.record("no error")
        } catch {
            #expect(error.isNotFound && error.call == "open" && error.path.hasPrefix(folder.file("no/a")))
        }
        // A folder in the place of the file: the rename fails, and the half-written file goes away.
        try Files.makeDirectory(folder.file("d"))
        #expect(throws: SystemError.self) { try Files.writeAtomically([1], to: folder.file("d")) }
        #expect(try Files.list(folder.path) == ["d"])
    }

    @Test func foldersAreMadeAndRemovedWhole() throws {
        let folder = try TemporaryFolder()
        try Files.makeDirectory(folder.file("a/b/c"))
        try Files.makeDirectory(folder.file("a/b/c"))
        try Files.writeAtomically([1], to: folder.file("a/b/x"))
        try Files.writeAtomically([1], to: folder.file("kept"))
        symlink(folder.file("kept"), folder.file("a/link"))
        try Files.remove(folder.file("a"))
        try Files.remove(folder.file("a"))
        #expect(try Files.list(folder.path) == ["kept"])
    }

    @Test func makeDirectoryOverAFileFails() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically([1], to: folder.file("f"))
        #expect(throws: SystemError.self) { try Files.makeDirectory(folder.file("f/g")) }
    }

    @Test func linkOrCopyAndCopy() throws {
        let folder = try TemporaryFolder()
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Files.writeAtomically(content, to: folder.file("a"))
        try Files.linkOrCopy(folder.file("a"), to: folder.file("b"))
        try Files.copy(folder.file("a"), to: folder.file("c"))
        #expect(try Files.read(folder.file("b")) == content && Files.read(folder.file("c")) == content)
        #expect(throws: SystemError.self) { try Files.linkOrCopy(folder.file("a"), to: folder.file("b")) }
    }

    @Test func readingWhatIsNotThere() {
        do {
            _ = try Files.read("/no/such/file")
            Issue.record("no error")
        } catch {
            #expect(error == SystemError(call: "open", path: "/no/such/file", code: ENOENT))
            #expect(error.message == "No such file or directory")
        }
    }
}
