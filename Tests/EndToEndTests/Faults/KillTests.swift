import Basics
import Foundation
import Testing

/// `kill -9` and power cuts at seeded moments: a few in `make test`, all of them in `make test-faults`.
@Suite(.serialized) struct KillTests {
    private static let isWhole = FaultMatrixTests.isWhole

    @Test func `Killed at any moment, the same command finishes the night`() async throws {
        let kills = Self.isWhole ? KillSeries.moments / 2 : 6
        async let server = KillSeries(flavour: "server", seed: 20_261_130, kills: kills)()
        async let online = KillSeries(flavour: "agol", seed: 1_130, kills: kills)()
        let numbers = try await server + online
        try Self.say(numbers, "kill -9")
        #expect(numbers.twice == 0)
        #expect(numbers.share <= 0.01)
    }

    @Test(.enabled(if: Machine.library != nil, "needs a C compiler"))
    func `When the power goes at any moment, the same command finishes the night`() async throws {
        let kills = Self.isWhole ? KillSeries.moments / 2 : 3
        // A cut costs some tens of milliseconds of each line, and there are two of them in a night: the share depends on how long that is.
        let line = Self.isWhole ? 100_000 : 250_000
        async let server = KillSeries(flavour: "server", seed: 4_711, kills: kills, losesPower: true, line: line)()
        async let online = KillSeries(flavour: "agol", seed: 815, kills: kills, losesPower: true, line: line)()
        let numbers = try await server + online
        try Self.say(numbers, "power cut")
        #expect(numbers.twice == 0)
        // What was flushed stays; what came since is little. A busy machine flushes late, and few cuts say little about a share.
        #expect(numbers.flushedTwice == 0)
        #expect(numbers.share <= (Self.isWhole ? 0.01 : 0.05))
        // The book was kept, and the cuts took something.
        #expect(numbers.lostBytes > 0)
    }

    private static func say(_ numbers: KillNumbers, _ way: String) throws {
        print(numbers.line(way))
        guard let path = ProcessInfo.processInfo.environment["OFFLINE_BATCH_NUMBERS"] else { return }
        let before = (try? Files.read(path)) ?? []
        try Files.writeAtomically(before + Array((numbers.line(way) + "\n").utf8), to: path)
    }
}
