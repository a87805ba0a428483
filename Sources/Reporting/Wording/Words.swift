import ArcGIS
import Foundation
import Planning

/// Words for people: the values of the program become sentences here, and only here.
public enum Wording {}

extension Wording {
    static func words(for kind: Job.Kind) -> String {
        switch kind {
        case .replica: "replica"
        case .tiles: "tiles"
        case .vectorTiles: "vector tiles"
        case .style: "style"
        case .basemap: "base map"
        case .package: "package"
        case .publish: "publish"
        }
    }

    static func words(for verdict: Verdict) -> String {
        switch verdict {
        case .vectorTiles: words(for: Job.Kind.vectorTiles)
        case .replica, .tiles, .style, .keptInMap, .onlineOnly, .unsupported, .excluded: verdict.rawValue
        }
    }

    static func words(for phase: Failure.Phase) -> String {
        switch phase {
        case .signIn: "signing in"
        case .metadata: "reading the service's description"
        case .plan: "planning"
        case .submit: "asking for the export"
        case .poll: "waiting for the server"
        case .result: "asking for the result"
        case .download: "downloading"
        case .verify: "verifying"
        case .package: "packaging"
        case .publish: "publishing"
        case .state: "saving the state"
        }
    }

    /// What the outcome of a run means (design chapter 6).
    public static func words(for outcome: Outcome) -> String {
        switch outcome {
        case .ok: "everything is done and verified"
        case .failed: "jobs ran, nothing could be published"
        case .partial: "some areas or layers failed, are stale or keep their last good map"
        case .changes: "the plan is not empty"
        case .usage: "the command line is wrong"
        case .manifest: "the manifest is invalid; no connection was made"
        case .refused: "the plan was refused; nothing was started"
        case .unavailable: "nothing could be done now; a later try may help"
        case .internal: "a bug of offline-batch: please report it"
        case .storage: "the local disk is full, not writable, or the state is damaged; earlier outputs are untouched"
        case .locked: "another live run owns this output"
        case .denied: "sign-in failed or is not allowed"
        case .interrupted: "interrupted; the state is saved, the same command continues"
        case .terminated: "terminated; the state is saved, the same command continues"
        }
    }

    static func words(for state: JobReport.State) -> String {
        switch state {
        case .done: "done"
        case .reused: "reused"
        case .failed: "failed"
        case .skipped: "skipped"
        case .pending: "not reached"
        case .unchanged: "unchanged"
        }
    }

    static func words(for state: AreaReport.State) -> String {
        switch state {
        case .published: "published"
        case .partial: "published, with layers missing or stale"
        case .failed: "failed"
        case .notPublished: "not published"
        case .untouched: "not part of this run"
        case .unchanged: "unchanged"
        case .kept: "keeps its last good map"
        }
    }

    /// "unchanged since 2026-11-29 02:14": the state, and the time of the map where the state is about it.
    static func words(for area: AreaReport, in zone: TimeZone) -> String {
        let words = words(for: area.state)
        guard let since = area.since.map({ Moment.local($0, in: zone) }) else { return words }
        switch area.state {
        case .unchanged: return "\(words) since \(since)"
        case .kept: return "\(words) of \(since)"
        case .untouched: return "\(words), its map of \(since) stays"
        case .published, .partial, .failed, .notPublished: return words
        }
    }

    static func colour(of state: JobReport.State) -> Ink.Colour? {
        switch state {
        case .done: .green
        case .reused, .unchanged: .dim
        case .failed: .red
        case .skipped, .pending: .yellow
        }
    }

    /// The titles of a job's layers, or what it makes when it brings none.
    static func layers(of layers: [LayerLabel], kind: Job.Kind) -> String {
        if !layers.isEmpty { return layers.map(\.title).joined(separator: ", ") }
        return kind == .package || kind == .publish ? "offline map" : ""
    }
}
