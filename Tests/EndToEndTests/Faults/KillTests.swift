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
        try Self.say(numbers, "kill -9", atMost: 0.01)
        #expect(numbers.twice == 0)
        #expect(numbers.share <= 0.01)
        #expect(numbers.resumed > 0)
    }

    /// A cut costs what its open downloads had not flushed, so the share of bytes that come twice goes by how many jobs there are to a cut.
    /// B7 (`Benchmarks/README.md`) has a thousand jobs to fifty cuts; sparing two gives sixteen to one. Most come closer, to fall into more
    /// steps: even so they cost far less than the fifth, and more, of downloads that are not flushed on their way.
    private static let powerCuts: [(kills: Int, sparing: Int, share: Double)] =
        isWhole ? [(KillSeries.moments * 3 / 4, 0, 0.05), (KillSeries.moments / 4, 2, 0.01)] : [(6, 0, 0.05)]

    @Test(.enabled(if: Machine.library != nil, "needs a C compiler"), arguments: powerCuts)
    func `When the power goes at any moment, the same command finishes the night`(
        kills: Int, sparing: Int, share: Double
    ) async throws {
        async let server = KillSeries(
            flavour: "server", seed: 4_711, kills: kills / 2, losesPower: true, sparing: sparing)()
        async let online = KillSeries(flavour: "agol", seed: 815, kills: kills / 2, losesPower: true, sparing: sparing)()
        let numbers = try await server + online
        try Self.say(numbers, sparing == 0 ? "power cut, two a night" : "power cut", atMost: share)
        #expect(numbers.twice == 0)
        #expect(numbers.flushedTwice == 0)
        #expect(numbers.share <= share)
        // The book was kept, and the cuts took something.
        #expect(numbers.lostBytes > 0)
    }

    private static func say(_ numbers: KillNumbers, _ way: String, atMost share: Double) throws {
        let line = numbers.line(way, atMost: share)
        print(line)
        guard let path = ProcessInfo.processInfo.environment["OFFLINE_BATCH_NUMBERS"] else { return }
        let before = (try? Files.read(path)) ?? []
        try Files.writeAtomically(before + Array((line + "\n").utf8), to: path)
    }
}
