import Basics
import Foundation
import Geography
import Planning
import TestSupport
import Testing

@testable import Execution

@Suite struct SpaceNeedTests {
    private static func job(_ id: String, key: String? = nil, bytes: Int? = nil, work: Work? = nil) -> Job {
        let request = ServiceRequest(url: "https://h/s", parameters: [:])
        var job = Job(
            id: id, area: String(id.prefix { $0 != "/" }), layers: [], reason: "new", key: key ?? id,
            work: work ?? .tiles(TileWork(serviceURL: "https://h/s", service: .map, request: request, levels: [])))
        job.estimate.bytes = bytes.map { ByteEstimate(likely: $0 * 2, low: $0, high: $0 * 3, sampled: 1, sample: .tiles) }
        return job
    }

    @Test func estimatesBeforeEarlierSizesAndWhatIsDoneCountsNothing() {
        let jobs = [
            Self.job("a/1", bytes: 100), Self.job("a/2"), Self.job("a/3"), Self.job("a/4", bytes: 7),
            // The same file for two areas comes once.
            Self.job("b/1", key: "a/1", bytes: 100), Self.job("a/package", bytes: 1000, work: .package),
        ]
        let need = SpaceNeed(jobs, before: ["a/1": 5, "a/2": 50]) { $0 == "a/4" }
        #expect(need.total == 150)
        #expect(need.byArea == ["a": 150, "b": 100])
    }

    @Test func aLocalBasemapNeedsRoomForItsCopy() {
        let file = ReferenceBasemap(
            path: "/maps/town.tpkx", content: .tiles, fileExtension: "tpkx", sha256: "a", bytes: 700, tiles: 3, levels: 1...2,
            spatialReference: .webMercator)
        let jobs = [
            Self.job("a/basemap/basemap", key: "k", work: .basemap(file)),
            Self.job("b/basemap/basemap", key: "k", work: .basemap(file)),
        ]
        let need = SpaceNeed(jobs, before: [:], isDone: { _ in false })
        #expect(need.total == 700 && need.byArea == ["a": 700, "b": 700])
    }

    @Test func theFileSystemThatIsTooSmallIsNamed() throws {
        func place(_ path: String, needed: Int) -> SpaceNeed.Place {
            SpaceNeed.Place(path: path, free: 104_000_000, needed: needed)
        }
        #expect(SpaceNeed.problem(at: [place("/state", needed: 100_000_000)]) == nil)
        let failure = try #require(
            SpaceNeed.problem(at: [place("/state", needed: 1), place("/maps", needed: 100_000_001)]))
        #expect(failure.kind == .storage && failure.details == ["/maps"])
        #expect(failure.message.contains("100000001") && failure.message.contains("104000000"))
    }

    /// `/proc` is a file system of its own on every Linux, and has no room.
    @Test func eachFileSystemNeedsWhatComesToIt() throws {
        let folder = try TemporaryFolder()
        let need = SpaceNeed([Self.job("a/1", bytes: 100), Self.job("b/1", bytes: 7)], before: [:]) { _ in false }
        let same = try need.measure(state: folder.path, output: folder.path)
        #expect(same.map(\.path) == [folder.path] && same.map(\.needed) == [107])
        // An area's folder may be a file system of its own.
        #expect(symlink("/proc", folder.file("b")) == 0)
        let apart = try need.measure(state: folder.path, output: folder.path)
        #expect(apart.map(\.path) == [folder.path, folder.file("b")] && apart.map(\.needed) == [107, 7])
        #expect(SpaceNeed.problem(at: apart)?.details == [folder.file("b")])
        #expect(throws: SystemError.self) { try need.measure(state: folder.file("none"), output: folder.path) }
    }
}
