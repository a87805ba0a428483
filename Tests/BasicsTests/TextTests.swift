import Basics
import TestSupport
import Testing

@Suite struct PathsTests {
    @Test(arguments: [
        ("Hydrant", "hydrant"), ("System Valve", "system-valve"), ("Größe  & Höhe", "gro-e-hohe"),
        ("../../etc/passwd", "etc-passwd"),
        ("", "untitled"), ("...", "untitled"), ("日本", "untitled"), (".hidden", "hidden"), ("a.b_c-d", "a.b_c-d"), ("a/", "a"),
        ("Naperville (2024)", "naperville-2024"), ("ﬁre", "fire"),
    ])
    func slug(_ title: String, _ expected: String) { #expect(Paths.slug(title) == expected) }

    @Test func slugIsBounded() {
        #expect(Paths.slug(String(repeating: "ab ", count: 100)).utf8.count <= 80)
        #expect(!Paths.slug(String(repeating: "a", count: 79) + " b").hasSuffix("-"))
    }

    @Test func uniqueNames() {
        var taken: Set<String> = ["a"]
        #expect((0..<3).map { _ in Paths.unique("a", taken: &taken) } == ["a-2", "a-3", "a-4"])
        #expect(Paths.unique("b", taken: &taken) == "b")
    }

    @Test func partsOfPaths() {
        #expect(["/a/b", "/a", "a", "a/b/", ""].map(Paths.parent) == ["/a", "/", "", "a/b", ""])
        #expect(["/a/b", "a", "a/"].map(Paths.name) == ["b", "a", ""])
        #expect(
            Paths.join("a", "b") == "a/b" && Paths.join("a/", "b") == "a/b" && Paths.join("a", "/b") == "/b"
                && Paths.join("", "b") == "b")
    }
}

@Suite struct SHA256Tests {
    /// FIPS 180-2, appendix B.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func knownVectors(_ text: String, _ digest: String) { #expect(SHA256.hex(of: text) == digest) }

    @Test func aMillionLettersInPieces() throws {
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        let hash = SHA256()
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        for _ in 0..<1000 { piece.withUnsafeBytes(hash.update) }
        #expect(hash.finalize() == digest)
        let folder = try TemporaryFolder()
        try Files.writeAtomically([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000), to: folder.file("a"))
        #expect(try SHA256.hex(ofFile: folder.file("a")) == digest)
    }
}

@Suite struct NearestNameTests {
    private let known = ["useGeometry", "exclude", "levelIDs", "buffer", "where", "match"]

    @Test(arguments: [
        ("useGeomtry", "useGeometry"), ("UseGeometry", "useGeometry"), ("exlcude", "exclude"), ("levelIds", "levelIDs"),
        ("level_ids", "levelIDs"),
        ("bufer", "buffer"), ("wher", "where"),
    ])
    func slips(_ typed: String, _ meant: String) { #expect(nearestName(to: typed, among: known) == meant) }

    @Test(arguments: ["scale", "zzz", "", "geometryOfUse"])
    func nothingNear(_ typed: String) { #expect(nearestName(to: typed, among: known) == nil) }

    @Test func nearestOfSeveral() { #expect(nearestName(to: "maxs", among: ["min", "max", "mask"]) == "max") }
}

@Suite struct DurationTests {
    @Test func secondsAndMilliseconds() {
        #expect(Duration.milliseconds(1500).seconds == 1.5 && Duration.seconds(2).milliseconds == 2000)
        #expect(Duration.milliseconds(-1500).milliseconds == -1500)
    }
}

@Suite struct OffPoolTests {
    @Test func valueAndErrorComeBack() async throws {
        #expect(await offPool { 7 } == 7)
        await #expect(throws: SystemError.self) {
            try await offPool { () throws(SystemError) in try Files.size("/no/such/file") }
        }
    }
}
