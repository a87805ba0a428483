import Basics
import Foundation
import Packaging
import Planning
import Scheduling
import TestSupport
import Testing

@testable import Execution

/// What of an earlier process is trusted: records alone prove nothing.
@Suite struct RestorationTests {
    private let folder: TemporaryFolder
    private let artifacts: ArtifactStore
    private let plan: Plan
    private let artifact: ArtifactReference

    init() throws {
        folder = try TemporaryFolder()
        artifacts = ArtifactStore(state: folder.file("state"))
        try artifacts.prepare()
        let bytes = Array("tiles".utf8)
        artifact = ArtifactReference(sha256: SHA256.hex(of: bytes), bytes: bytes.count, fileExtension: "tpkx")
        try Files.writeAtomically(bytes, to: artifacts.partialPath(key: "t"))
        try artifacts.adopt(artifacts.partialPath(key: "t"), sha256: artifact.sha256)
        let request = ServiceRequest(url: "https://h/s", parameters: [:])
        let tiles = TileWork(serviceURL: "https://h/s", service: .map, request: request, levels: [])
        func job(_ id: String, _ key: String, _ work: Work, _ needs: [String] = []) -> Job {
            Job(id: "a/\(id)", area: "a", layers: [], reason: "new", dependsOn: needs, key: key, work: work)
        }
        plan = Plan(
            name: "test", portal: "https://portal",
            map: PlannedMap(itemID: nil, title: "Map", document: [:], item: nil, thumbnailURL: nil), areas: [], layers: [],
            jobs: [
                job("tiles", "t", .tiles(tiles)), job("other", "o", .tiles(tiles)),
                job("package", "p", .package, ["a/tiles", "a/other"]),
                job("publish", "q", .publish, ["a/package"]),
            ], limits: PlannedLimits(.init(), continueOnErrors: true), keep: 2)
    }

    private func restored(_ recorded: [String: JobProgress], isStopping: Bool = false) async -> [String: JobProgress] {
        await Restoration(plan: plan, artifacts: artifacts, output: folder.path, isStopping: { isStopping })(recorded)
    }

    @Test func aWholeArtifactIsUsedAgain() async {
        #expect(await restored(["t": .done(artifact)]) == ["a/tiles": .done(artifact)])
    }

    @Test func anotherByteMakesItWorthless() async throws {
        let path = artifacts.path(artifact.sha256)
        try Files.remove(path)
        #expect(await restored(["t": .done(artifact)]).isEmpty)
        try Files.writeAtomically(Array("tilez".utf8), to: path)
        #expect(await restored(["t": .done(artifact)]).isEmpty)
    }

    @Test func openJobsAreAskedForAndFailedOnesBeginAgain() async {
        let submitted = JobProgress.submitted(jobURL: "u", at: 1)
        let failure = Failure(phase: .poll, kind: .serverJob, message: "no")
        #expect(await restored(["t": submitted, "o": .failed(failure)]) == ["a/tiles": submitted])
        #expect(await restored(["t": .submitting, "o": .skipped(failedJob: "a/tiles")]).isEmpty)
    }

    @Test func anAreaThatIsOutNeedsNothingMore() async throws {
        let lacking: [String: JobProgress] = ["t": .done(artifact), "p": .done(nil), "q": .done(nil)]
        let recorded = lacking.merging(["o": .done(artifact)]) { $1 }
        // On record, but nothing is there: it is put together again.
        #expect(await restored(recorded) == ["a/tiles": .done(artifact), "a/other": .done(artifact)])
        let generations = Generations(output: folder.path, area: "a")
        _ = try generations.stage("20260101T000000Z")
        _ = try generations.publish("20260101T000000Z")
        // Published without one of its parts, it is published again when that has come.
        #expect(await restored(lacking) == ["a/tiles": .done(artifact)])
        try Files.remove(artifacts.path(artifact.sha256))
        #expect(
            await restored(recorded) == [
                "a/tiles": .done(artifact), "a/other": .done(artifact), "a/package": .done(nil), "a/publish": .done(nil),
            ])
    }

    @Test func aRunThatStopsReadsNoFurther() async {
        #expect(await restored(["t": .done(artifact)], isStopping: true).isEmpty)
    }
}
