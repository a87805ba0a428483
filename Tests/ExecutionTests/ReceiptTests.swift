import Basics
import Scheduling
import TestSupport
import Testing

@testable import Execution

@Suite struct ReceiptTests {
    private let folder: TemporaryFolder
    private let store: ArtifactStore

    init() throws {
        folder = try TemporaryFolder()
        store = ArtifactStore(state: folder.path)
        try store.prepare()
    }

    @Test func aReceiptIsGoodForItsOwnResultOnly() throws {
        let bytes = Array("tiles".utf8)
        try Files.writeAtomically(bytes, to: store.partialPath(key: "k"))
        let receipt = Receipt(url: "https://h/1.tpkx", sha256: SHA256.hex(of: bytes), bytes: bytes.count)
        try store.write(receipt, key: "k")
        #expect(store.receipt(key: "k", url: "https://h/1.tpkx") == receipt)
        #expect(store.receipt(key: "k", url: "https://h/2.tpkx") == nil)
        #expect(store.hasDownload(receipt, key: "k"))
        try Files.writeAtomically(Array("tilez".utf8), to: store.partialPath(key: "k"))
        #expect(!store.hasDownload(receipt, key: "k"))
    }

    @Test func pruningLeavesWhatIsInUse() throws {
        for (key, text) in [("a", "one"), ("b", "two")] {
            try Files.writeAtomically(Array(text.utf8), to: store.partialPath(key: key))
            try store.adopt(store.partialPath(key: key), sha256: SHA256.hex(of: text))
            try Files.writeAtomically([1], to: store.partialPath(key: key))
            try Files.writeAtomically([2], to: store.downloadTarget(key: key).recordPath)
        }
        try store.prune(keeping: [SHA256.hex(of: "one")], downloads: ["b"])
        #expect(Files.exists(store.path(SHA256.hex(of: "one"))))
        #expect(!Files.exists(store.path(SHA256.hex(of: "two"))))
        #expect(try Files.list(folder.file("partial")) == ["b.download", "b.download.record"])
    }
}
