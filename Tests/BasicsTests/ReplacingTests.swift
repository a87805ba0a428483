import Basics
import Foundation
import Synchronization
import TestSupport
import Testing

/// A file is replaced by `rename(2)`, in one step.
@Suite struct ReplacingTests {
    @Test func aReaderFindsTheOldOrTheNewFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a")
        let contents = [[UInt8](repeating: 1, count: 60_000), [UInt8](repeating: 2, count: 30_000)]
        try Files.writeAtomically(contents[0], to: path)
        let isDone = Atomic(false)
        let looks = Atomic(0)
        let wrong = Atomic(0)
        let written = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 2) { role in
            if role == 0 {
                for turn in 1...200 where (try? Files.writeAtomically(contents[turn % 2], to: path)) != nil {
                    written.add(1, ordering: .relaxed)
                }
                isDone.store(true, ordering: .releasing)
            } else {
                repeat {
                    let found = try? Files.read(path)
                    if found != contents[0], found != contents[1] { wrong.add(1, ordering: .relaxed) }
                    looks.add(1, ordering: .relaxed)
                } while !isDone.load(ordering: .acquiring)
            }
        }
        #expect(written.load(ordering: .relaxed) == 200)
        #expect(looks.load(ordering: .relaxed) > 0 && wrong.load(ordering: .relaxed) == 0)
    }

    /// On Linux, Foundation's own replacement has lost both files, its moves copy from disk to disk, and its `URLSession` carries
    /// credentials to other hosts along redirects (Swift 6.3.1).
    @Test func whatFoundationDoesDangerouslyIsNotUsed() throws {
        let sources = SharedFiles.packageRoot + "/Sources"
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }
        #expect(files.count > 300)
        for file in files {
            let text = String(decoding: try Files.read("\(sources)/\(file)"), as: UTF8.self)
            for word in ["replaceItem", "moveItem(", "URLSession"] { #expect(!text.contains(word), "\(file): \(word)") }
        }
    }
}
