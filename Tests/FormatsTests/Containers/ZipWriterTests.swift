import Basics
import Formats
import TestSupport
import Testing

struct ZipWriterTests {
    @Test(.enabled(if: PythonJudge.isAvailable, "needs the Python judges"))
    func pythonReadsWhatWeWrite() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.zip")
        try Files.writeAtomically([UInt8](repeating: 7, count: 3_000_000), to: folder.file("big"))
        let writer = try ZipWriter(path: path)
        try writer.add("root.json", "{}")
        try writer.add("tile/Grüße 图.txt", Array("hello".utf8))
        try writer.add("big.bin", file: folder.file("big"))
        try writer.add("empty", [UInt8]())
        try writer.finish()
        let verdict = try PythonJudge.run(
            """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            assert z.testzip() is None
            assert all(i.compress_type == 0 for i in z.infolist()), "deflated"
            assert z.read("big.bin") == b"\\x07" * 3000000
            print([(i.filename, i.file_size) for i in z.infolist()])
            """, [path])
        #expect(verdict.errors == "")
        #expect(verdict.output == "[('root.json', 2), ('tile/Grüße 图.txt', 5), ('big.bin', 3000000), ('empty', 0)]\n")
    }

    @Test func equalEntriesMakeEqualBytes() throws {
        let folder = try TemporaryFolder()
        func bytes(_ name: String) throws -> [UInt8] {
            let writer = try ZipWriter(path: folder.file(name))
            try writer.add("a", "1")
            try writer.finish()
            return try Files.read(folder.file(name))
        }
        #expect(try bytes("x.zip") == bytes("y.zip"))
    }

    @Test(arguments: ["/etc/passwd", "../a", "a/../../b", "", "C:/a", "a\\b"])
    func unsafeNamesAreRefused(name: String) throws {
        let folder = try TemporaryFolder()
        let writer = try ZipWriter(path: folder.file("a.zip"))
        #expect(throws: FormatError(.unsafeName, file: folder.file("a.zip"), entry: name)) { try writer.add(name, "x") }
    }

    @Test func oneThatIsGivenUpIsNoZip() throws {
        let folder = try TemporaryFolder()
        for entries in [0, 1] {
            let path = folder.file("\(entries).zip")
            do {
                let writer = try ZipWriter(path: path)
                if entries > 0 { try writer.add("a", "1") }
            }
            #expect(try Files.size(path) == 0)
        }
    }

    @Test func afterFinishNothingCanBeAdded() throws {
        let folder = try TemporaryFolder()
        let writer = try ZipWriter(path: folder.file("a.zip"))
        try writer.finish()
        #expect(throws: FormatError.self) { try writer.add("a", "1") }
        #expect(throws: FormatError.self) { try writer.finish() }
    }
}
