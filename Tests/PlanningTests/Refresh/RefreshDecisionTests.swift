import Basics
import Manifest
import Testing

@testable import Planning

/// Stamp × parameter × artifact → run or not, and why (cases B16, G06). 1 November 2026, 00:00 UTC is 1_793_491_200_000.
@Suite("Whether a job must run") struct RefreshDecisionTests {
    private static let fetched = 1_793_491_200_000
    private static let day = 86_400_000
    private static let url = "https://s/W/FeatureServer/createReplica"
    private static let form = [
        "layers": "0", "layerQueries": #"{"0":{"queryOption":"useFilter","where":"A = 1","useGeometry":true}}"#,
        "geometry": "1,2,3,4",
        "replicaName": "ob_night",
    ]
    private static let stamp = SourceStamp(layers: [LayerStamp(id: 0, lastEdit: 5, schemaEdit: 3, dataEdit: 5, description: "d")])

    private static func job(
        _ form: [String: String] = form, url: String = url, stamp: SourceStamp = stamp, refresh: RefreshRule = .byStamp,
        registration: ReplicaWork.Registration = .none
    ) -> Job {
        var deciding = form
        deciding["replicaName"] = nil
        let work = ReplicaWork(
            serviceURL: "https://s/W/FeatureServer", request: ServiceRequest(url: url, parameters: form), layers: [],
            registration: registration)
        return Job(
            id: "a/w/replica", area: "a", layers: [], reason: "new", key: JobKey.make(.replica, url, deciding, stamp.json),
            work: .replica(work), stamp: stamp, refresh: refresh)
    }

    private static func published(_ job: Job, condition: PublishedFile.Condition = .whole) -> PublishedPart {
        PublishedPart(
            job: job.id, kind: job.kind, key: job.key, request: job.work.comparedRequest, stamp: job.stamp, fetched: fetched,
            sha256: "aa", bytes: 1, fileExtension: "geodatabase", path: "p13/x.geodatabase", condition: condition)
    }

    private static func reason(
        _ job: Job, after published: PublishedPart?, now: Int = fetched + day, replicaLoss: ReplicaLoss? = nil
    ) -> JobReason {
        RefreshDecision(job: job, published: published, now: now, replicaLoss: replicaLoss).reason
    }

    @Test("the same request, the same stamps, a whole file: nothing to do")
    func unchanged() {
        #expect(Self.reason(Self.job(), after: Self.published(Self.job())) == .unchanged(since: Self.fetched))
        // The name of a replica decides no byte of it.
        var renamed = Self.form
        renamed["replicaName"] = "ob_other"
        #expect(Self.reason(Self.job(renamed), after: Self.published(Self.job())) == .unchanged(since: Self.fetched))
        #expect(JobReason.unchanged(since: Self.fetched).words == "unchanged since 2026-11-01T00:00:00Z")
    }

    @Test("the artifact: none, gone, damaged")
    func artifact() {
        #expect(Self.reason(Self.job(), after: nil) == .new)
        #expect(Self.reason(Self.job(), after: Self.published(Self.job(), condition: .missing)) == .artifactMissing)
        #expect(Self.reason(Self.job(), after: Self.published(Self.job(), condition: .damaged)) == .artifactDamaged)
    }

    @Test(
        "the parameters",
        arguments: [
            (["layerQueries": #"{"0":{"queryOption":"useFilter","where":"A = 2","useGeometry":true}}"#], JobReason.whereChanged),
            (
                ["layerQueries": #"{"0":{"queryOption":"useFilter","where":"A = 2","useGeometry":false}}"#],
                .parametersChanged(["layerQueries"])
            ), (["geometry": "1,2,3,5"], .areaChanged), (["geometry": "1,2,3,5", "layers": "0,1"], .areaChanged),
            (["syncModel": "none", "layers": "0,1"], .parametersChanged(["layers", "syncModel"])),
            (
                ["layers": "0,1", "layerQueries": #"{"0":{"queryOption":"all"},"1":{"queryOption":"all"}}"#],
                .parametersChanged(["layers"])
            ),
        ])
    func parameters(change: [String: String], expected: JobReason) {
        let job = Self.job(Self.form.merging(change) { $1 })
        #expect(Self.reason(job, after: Self.published(Self.job())) == expected)
        // What the manifest asks for goes before what happened at the source.
        let edited = Self.job(Self.form.merging(change) { $1 }, stamp: SourceStamp(layers: [LayerStamp(id: 0, lastEdit: 9)]))
        #expect(Self.reason(edited, after: Self.published(Self.job())) == expected)
    }

    @Test("another service")
    func service() {
        let moved = Self.job(url: "https://s/V/FeatureServer/createReplica")
        #expect(Self.reason(moved, after: Self.published(Self.job())) == .serviceChanged)
    }

    @Test(
        "the stamps",
        arguments: [
            (
                LayerStamp(id: 0, lastEdit: 1_793_577_600_000, schemaEdit: 3, dataEdit: 1_793_577_600_000, description: "d"),
                JobReason.sourceEdited(1_793_577_600_000), "source edited 2026-11-02T00:00:00Z"
            ),
            (
                LayerStamp(id: 0, lastEdit: 1_793_577_600_000, schemaEdit: 1_793_577_600_000, dataEdit: 5, description: "d"),
                .schemaChanged(1_793_577_600_000), "schema changed 2026-11-02T00:00:00Z"
            ),
            // A service that does not say when its schema was edited shows it.
            (LayerStamp(id: 0, lastEdit: 5, schemaEdit: 3, dataEdit: 5, description: "e"), .schemaChanged(nil), "schema changed"),
            (LayerStamp(id: 0, description: "d"), .schemaChanged(nil), "schema changed"),
        ])
    func stamps(stamp: LayerStamp, expected: JobReason, words: String) {
        let job = Self.job(stamp: SourceStamp(layers: [stamp]))
        #expect(Self.reason(job, after: Self.published(Self.job())) == expected)
        #expect(expected.words == words)
    }

    @Test("no stamps, no skipping; of several layers every one must tell")
    func noStamp() {
        let silent = SourceStamp(layers: [LayerStamp(id: 0, description: "d")])
        let half = SourceStamp(layers: Self.stamp.layers + [LayerStamp(id: 1, description: "d")])
        for stamp in [silent, half, SourceStamp()] {
            let job = Self.job(stamp: stamp)
            #expect(Self.reason(job, after: Self.published(job)) == .noStamp)
        }
        let tracked = Self.job(stamp: SourceStamp(layers: [LayerStamp(id: 0, serverGeneration: 7)]))
        #expect(Self.reason(tracked, after: Self.published(tracked)) == .unchanged(since: Self.fetched))
    }

    @Test("tiles whose item told nothing then or tells nothing now are not called edited")
    func itemStamps() {
        let (told, silent) = (SourceStamp(items: ["i": 5]), SourceStamp())
        for (before, now) in [(told, silent), (silent, told)] {
            #expect(Self.reason(Self.job(stamp: now), after: Self.published(Self.job(stamp: before))) == .noStamp)
        }
        let moved = Self.job(stamp: SourceStamp(items: ["i": 6]))
        #expect(Self.reason(moved, after: Self.published(Self.job(stamp: told))) == .sourceEdited(6))
    }

    @Test("a style whose document changed under an item that did not")
    func style() {
        func style(_ document: String) -> Job {
            let work = Work.style(StyleWork(styleURL: "https://s/root.json", serviceURL: ""))
            let stamp = SourceStamp(items: ["i": 5])
            let key = JobKey.make(.style, "https://s/root.json", [:], ["document": .string(document), "stamp": stamp.json])
            return Job(id: "a/v/style", area: "a", layers: [], reason: "new", key: key, work: work, stamp: stamp)
        }
        #expect(Self.reason(style("a"), after: Self.published(style("a"))) == .unchanged(since: Self.fetched))
        #expect(Self.reason(style("b"), after: Self.published(style("a"))) == .styleChanged)
    }

    @Test(
        "refresh rules",
        arguments: [
            (RefreshRule.always, 1, JobReason.always), (.never, 10_000, .unchanged(since: fetched)),
            (.after(seconds: 30 * 86_400), 30, .unchanged(since: fetched)),
            (.after(seconds: 30 * 86_400), 31, .olderThan(seconds: 30 * 86_400)),
        ])
    func rules(rule: RefreshRule, days: Int, expected: JobReason) {
        let now = Self.fetched + days * Self.day
        for stamp in [Self.stamp, SourceStamp()] {
            let job = Self.job(stamp: stamp, refresh: rule)
            #expect(Self.reason(job, after: Self.published(job), now: now) == expected)
        }
        #expect(JobReason.olderThan(seconds: 30 * 86_400).words == "older than 30 d")
    }

    @Test("a moved stamp counts before the age, and not at all with `never`; other parameters always count")
    func rulesAndStamps() {
        let edited = SourceStamp(layers: [LayerStamp(id: 0, lastEdit: 9, schemaEdit: 3, dataEdit: 9, description: "d")])
        let before = Self.published(Self.job())
        #expect(Self.reason(Self.job(stamp: edited, refresh: .after(seconds: 99 * 86_400)), after: before) == .sourceEdited(9))
        let never = Self.job(stamp: edited, refresh: .never)
        #expect(Self.reason(never, after: before) == .unchanged(since: Self.fetched))
        let other = Self.job(["geometry": "9,9,9,9"], stamp: edited, refresh: .never)
        #expect(Self.reason(other, after: before) == .areaChanged)
        #expect(Self.reason(never, after: Self.published(Self.job(), condition: .missing)) == .artifactMissing)
    }

    @Test("a replica that nobody can synchronise any more is made anew; one without account has none to lose")
    func replicas() {
        let kept = Self.job(registration: .kept)
        for loss in [ReplicaLoss.unregistered, .goneAtServer] {
            #expect(Self.reason(kept, after: Self.published(kept), replicaLoss: loss) == .replicaLost(loss))
        }
        #expect(JobReason.replicaLost(.goneAtServer).words == "its replica is gone from the server")
        #expect(Self.reason(kept, after: Self.published(kept)) == .unchanged(since: Self.fetched))
        #expect(
            Self.reason(Self.job(), after: Self.published(Self.job()), replicaLoss: .unregistered)
                == .unchanged(since: Self.fetched))
    }

    @Test("of the layers of one service the most eager decides")
    func eagerness() {
        let rules: [RefreshRule] = [.always, .byStamp, .after(seconds: 60), .never, .after(seconds: 3600)]
        #expect(rules.sorted() == [.never, .byStamp, .after(seconds: 3600), .after(seconds: 60), .always])
    }
}
