import Basics
import TestSupport
import Testing

@testable import Formats

struct ContainerKindTests {
    @Test func kindsByTheirFirstBytes() {
        #expect(ContainerKind.of([]) == .empty)
        #expect(ContainerKind.of(Array("SQLite format 3\0abc".utf8)) == .sqlite)
        #expect(ContainerKind.of([0x50, 0x4B, 3, 4, 20]) == .zip)
        #expect(ContainerKind.of([0x50, 0x4B, 5, 6]) == .zip)
        #expect(ContainerKind.of([0x1F, 0x8B, 8]) == .gzip)
        #expect(ContainerKind.of(Array(" \n{\"error\":{}}".utf8)) == .json)
        #expect(ContainerKind.of([0xEF, 0xBB, 0xBF] + Array("[1]".utf8)) == .json)
        #expect(ContainerKind.of(Array("\r\n<!DOCTYPE HTML><html>".utf8)) == .html)
        #expect(ContainerKind.of(Array("<?xml version".utf8)) == .unknown(Array("<?xml version".utf8)))
        #expect(ContainerKind.of([0xFF]) == .unknown([0xFF]))
    }

    @Test(.enabled(if: SharedFiles.isAvailable, "needs the recorded files"))
    func samples() throws {
        #expect(try ContainerKind.sniff(SharedFiles.path("samples/tpkx/Usa.tpkx")) == .zip)
        #expect(try ContainerKind.sniff(SharedFiles.path("samples/geodatabase/LA_Trails.geodatabase")) == .sqlite)
        #expect(throws: FormatError.self) { try ContainerKind.sniff("/nowhere") }
    }
}

@Suite(.enabled(if: PythonJudge.isAvailable, "needs the Python judges"))
struct ZipReaderTests {
    /// Makes a zip with Python, so that the reader does not read only our own.
    private func zip(_ folder: TemporaryFolder, _ script: String) throws -> String {
        let path = folder.file("a.zip")
        let verdict = try PythonJudge.run(
            """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED)
            """ + "\n" + script + "\nz.close()", [path])
        #expect(verdict.errors == "")
        return path
    }

    private func error(_ body: () throws(FormatError) -> Void) -> FormatError? {
        do throws(FormatError) { try body() } catch { return error }
        return nil
    }

    @Test func aBombIsNotUnpacked() throws {
        let folder = try TemporaryFolder()
        // Ten megabytes of zeros from ten kilobytes: a thousand to one.
        let path = try zip(folder, "z.writestr('zeros', bytes(10_000_000))\nz.writestr('more', bytes(10_000_000))")
        #expect(try Files.size(path) < 50_000)
        let small = ZipReader(path: path, freeBytes: 1 << 20)
        #expect(error { () throws(FormatError) in _ = try small.read("zeros") }?.code == .tooLarge)
        // Sums of entries count, not entries.
        let one = ZipReader(path: path, freeBytes: 15_000_000)
        #expect(try one.read("zeros")?.count == 10_000_000)
        #expect(
            error { () throws(FormatError) in try one.walk(checkingSums: true) { (_, _) throws(FormatError) in } }?.code
                == .tooLarge)
        #expect(try ZipReader(path: path).read("more")?.count == 10_000_000)
    }

    /// A reader that takes the first and one that takes the last would not see the same package.
    @Test func aNameStandsOnce() throws {
        let folder = try TemporaryFolder()
        let path = try zip(
            folder,
            """
            import warnings
            warnings.simplefilter("ignore")
            z.writestr('root.json', '{}')
            z.writestr('root.json', '{"evil":1}')
            """)
        let error = error { () throws(FormatError) in _ = try ZipReader(path: path).read("root.json") }
        #expect(error?.code == .unsafeName && error?.entry == "root.json" && error?.found == "a second entry of this name")
    }

    @Test func storedDeflatedFoldersAndNames() throws {
        let folder = try TemporaryFolder()
        let path = try zip(
            folder,
            """
            z.writestr("a/b.txt", "hello" * 1000)
            z.writestr("Grüße.txt", "ü")
            z.writestr(zipfile.ZipInfo("dir/"), "")
            """)
        let reader = ZipReader(path: path)
        let entries = try reader.entries()
        #expect(entries.map(\.name) == ["a/b.txt", "Grüße.txt", "dir/"])
        #expect(entries.map(\.size) == [5000, 2, 0] && entries[2].isDirectory)
        #expect(try reader.read("a/b.txt") == Array(String(repeating: "hello", count: 1000).utf8))
        #expect(try reader.read("nothing") == nil)
        #expect(error { () throws(FormatError) in _ = try reader.read("a/b.txt", limit: 4999) }?.code == .tooLarge)
    }

    @Test(arguments: ["../evil", "/etc/passwd", "a/../../b"])
    func unsafeNamesAreRefused(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try zip(folder, "z.writestr(\"\(name)\", \"x\")")
        #expect(error { () throws(FormatError) in _ = try ZipReader(path: path).entries() }?.code == .unsafeName)
    }

    @Test func linksAreRefused() throws {
        let folder = try TemporaryFolder()
        let path = try zip(
            folder,
            "i = zipfile.ZipInfo(\"link\"); i.create_system = 3; i.external_attr = 0o120777 << 16; z.writestr(i, \"/etc\")")
        let found = error { () throws(FormatError) in _ = try ZipReader(path: path).entries() }
        #expect(found?.code == .unsafeName && found?.found == "a link")
    }

    @Test func cutAndForeignFilesAreToldApart() throws {
        let folder = try TemporaryFolder()
        let path = try zip(folder, "z.writestr(\"a\", bytes(range(256)) * 50)")
        let whole = try Files.read(path)
        try Files.writeAtomically(whole.dropLast(30), to: folder.file("cut.zip"))
        try Files.writeAtomically(Array("<html>no</html>".utf8), to: folder.file("page.zip"))
        try Files.writeAtomically([], to: folder.file("empty.zip"))
        func code(_ name: String) -> FormatError? {
            error { () throws(FormatError) in _ = try ZipReader(path: folder.file(name)).entries() }
        }
        #expect(code("cut.zip")?.code == .truncated && code("cut.zip")?.detail?.isEmpty == false)
        #expect(code("page.zip")?.code == .wrongKind)
        #expect(code("empty.zip")?.code == .truncated)
        #expect(code("absent.zip")?.code == .unreadable)
    }

    @Test func aWrongChecksumIsFoundOnTheWay() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.zip")
        let writer = try ZipWriter(path: path)
        try writer.add("a", "some content")
        try writer.finish()
        var bytes = try Files.read(path)
        let place = try #require(bytes.firstRange(of: Array("some content".utf8)))
        bytes[place.lowerBound] ^= 1
        try Files.writeAtomically(bytes, to: path)
        #expect(try ZipReader(path: path).entries().count == 1)
        let found = error { () throws(FormatError) in
            try ZipReader(path: path).walk(checkingSums: true) { (_, _) throws(FormatError) in }
        }
        #expect(found?.code == .damaged && found?.entry == "a" && found?.detail?.contains("CRC") == true)
    }
}
