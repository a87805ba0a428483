import Basics
import Glibc
import TestSupport
import Testing

@testable import Transport

@Suite struct FlushTests {
    /// What a file holds after a flush that failed is unknown: it must not be continued.
    @Test func aFlushThatFailsTakesTheRecordAway() async throws {
        let folder = try TemporaryFolder()
        let record = folder.file("file.record")
        // A pipe takes every byte and cannot be flushed (EINVAL).
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let file = try GrowingFile(FileDescriptor(raw: ends[1], path: "pipe"), recordPath: record, validator: "v")
        #expect(Files.exists(record))
        #expect(Self.write([UInt8](repeating: 7, count: 100), to: file) == nil)
        let failure = SystemError(call: "fdatasync", path: "pipe", code: EINVAL)
        do throws(SystemError) {
            try await file.flushed()
            Issue.record("it was flushed")
        } catch {
            #expect(error == failure)
        }
        #expect(!Files.exists(record))
        #expect(Self.write([7], to: file) == failure)
    }

    private static func write(_ bytes: [UInt8], to file: GrowingFile) -> SystemError? {
        bytes.withUnsafeBytes { buffer in
            do throws(SystemError) {
                try file.write(buffer)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test func theRecordIsAsDocumented() {
        let record = PartialRecord(validator: "\"33a64df5\"", flushed: 1_310_720, boot: "5f0c8a2e-0000-4000-8000-000000000001")
        #expect(record.text == "flushed 00000000000001310720 5f0c8a2e-0000-4000-8000-000000000001\n\"33a64df5\"")
        #expect(PartialRecord(record.text) == record)
        // In place, within the first sector: the line never changes its length.
        for (flushed, boot) in [(0, nil), (Int.max, "short"), (7, String(repeating: "x", count: 36))] as [(Int, String?)] {
            let other = PartialRecord(validator: "v", flushed: flushed, boot: boot)
            #expect(other.firstLine.utf8.count == record.firstLine.utf8.count)
            #expect(PartialRecord(other.text) == other)
        }
    }

    @Test(arguments: [
        "", "\n", "\"33a64df5\"", "flushed 5 boot\n\"v\"", "flushed 00000000000000000005 boot\n",
        "flushed 00000000000000000005 boot", "flushed 0000000000000000000x boot\n\"v\"",
        "flushed -0000000000000000005 boot\n\"v\"",
        "\0\0\0\0\0\0\0\0\n\"v\"", "flushed 00000000000000000005 boot\n\0\0\0",
    ])
    func tornRecordsSayNothing(text: String) {
        #expect(PartialRecord(text) == nil)
    }

    @Test func bytesThatWereNotFlushedLiveAsLongAsTheMachine() {
        let record = PartialRecord(validator: "v", flushed: 100, boot: "monday")
        #expect(record.sound(of: 170, boot: "monday") == 170)
        #expect(record.sound(of: 170, boot: "tuesday") == 100)
        // Flushed, then cut by somebody.
        #expect(record.sound(of: 60, boot: "tuesday") == 60)
        // Who cannot tell one life from another trusts neither.
        #expect(record.sound(of: 170, boot: nil) == 100)
        #expect(PartialRecord(validator: "v", flushed: 100, boot: nil).sound(of: 170, boot: nil) == 100)
    }

    private let start = ContinuousClock.now
    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test func flushesByBytesAndByTime() {
        var pace = FlushPace(flushed: 0, at: start)
        #expect(!pace.isDue(0, at: start))
        #expect(pace.isDue(1, at: start))
        pace.flushed(50_000_000, from: start, to: at(10))
        #expect(pace.next == at(60))
        // Few bytes wait for a second, enough of them for a twentieth.
        #expect(!pace.isDue(50_016_384, at: at(59)) && pace.isDue(50_016_384, at: at(60)))
        #expect(!pace.isDue(50_016_383, at: at(1_009)) && pace.isDue(50_016_383, at: at(1_010)))
        #expect(!pace.isDue(50_000_000, at: at(9_000)))
        // One that was overtaken takes nothing back.
        pace.flushed(40_000_000, from: at(60), to: at(70))
        #expect(pace.flushed == 50_000_000)
    }

    /// A disk that takes 200 ms to flush has 600 ms to itself, one that takes a second has three, even for few bytes.
    @Test func aSlowDiskIsFlushedForAQuarterOfTheTime() {
        var pace = FlushPace(flushed: 0, at: start)
        pace.flushed(1_000_000, from: at(100), to: at(300))
        #expect(!pace.isDue(2_000_000, at: at(899)) && pace.isDue(2_000_000, at: at(900)))
        pace.flushed(2_000_000, from: at(900), to: at(1_900))
        #expect(!pace.isDue(2_000_001, at: at(4_899)) && pace.isDue(2_000_001, at: at(4_900)))
    }
}
