import Glibc
import Manifest
import TestSupport
import Testing

@Suite struct SizeTests {
    @Test func aHundredMegabytesAreRefusedUnread() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("manifest.yaml")
        // A file with a hole: nothing of it is on the disk.
        let file = open(path, O_WRONLY | O_CREAT, 0o644)
        #expect(ftruncate(file, 100_000_000) == 0)
        close(file)
        let began = ContinuousClock.now
        let result = Manifest.load(path: path)
        #expect(result.manifest == nil)
        #expect(result.errors.map(\.message) == ["the file has 100000000 bytes; a manifest has at most 4194304"])
        #expect(began.duration(to: .now) < .seconds(2))
    }

    @Test func whatHasNoEndIsNotReadToItsEnd() {
        let result = Manifest.load(path: "/dev/zero")
        #expect(result.manifest == nil)
        #expect(
            result.errors.first?.message
                == "the manifest cannot be read: it is not a file but a pipe, a socket or a device")
    }
}
