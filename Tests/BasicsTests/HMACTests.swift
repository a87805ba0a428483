import Basics
import TestSupport
import Testing

@Suite struct HMACTests {
    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { (String($0, radix: 16).count == 1 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// RFC 4231, test cases 1, 2 and 6 (a key longer than a block).
    @Test(arguments: [
        ([UInt8](repeating: 0x0b, count: 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (Array("Jefe".utf8), "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func vectors(key: [UInt8], text: String, expected: String) {
        #expect(Self.hex(HMAC.sha256(text.utf8, key: key)) == expected)
    }

    @Test func anEmptyKeyIsAKey() {
        // By Python: hmac.new(b"", b"", "sha256").hexdigest()
        #expect(
            Self.hex(HMAC.sha256([], key: [])) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }
}

@Suite struct ChildProcessTests {
    @Test func readsItsInputFromAFile() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically("one\ntwo\n".utf8, to: folder.file("in"))
        let output = try ChildProcess.run(["cat"], environment: ["PATH": "/usr/bin:/bin"], input: folder.file("in"), seconds: 20)
        #expect(output == Array("one\ntwo\n".utf8))
        #expect(try ChildProcess.run(["/bin/cat"], environment: [:], seconds: 20).isEmpty)
    }

    @Test func saysWhyItFailed() {
        func failure(_ words: [String], seconds: Int = 20) -> ChildProcess.Failure? {
            do throws(ChildProcess.Failure) {
                _ = try ChildProcess.run(words, environment: ["PATH": "/usr/bin:/bin"], seconds: seconds)
                return nil
            } catch { return error }
        }
        #expect(failure(["sh", "-c", "exit 3"]) == .failed(status: 3))
        #expect(failure(["sleep", "20"], seconds: 1) == .timedOut(seconds: 1))
        if case .notStarted(let error)? = failure(["/nowhere/at/all"]) {
            #expect(error.path == "/nowhere/at/all")
        } else {
            Issue.record("a program that is not there was started")
        }
    }
}
