import Manifest
import Planning
import Reporting

extension Engine {
    /// The one place where commands meet planner, runner, state and inspection.
    public static let live = Engine(
        plan: { (_, _) throws(Failure) in throw unavailable },
        run: { manifest, _, _ in
            RunReport(name: manifest.name, outcome: .internal, started: .now, finished: .now, error: unavailable)
        },
        status: { (_, _) throws(Failure) in throw unavailable },
        inspect: { (_) throws(Failure) in throw unavailable })

    /// Until the modules below are joined here, nothing is pretended.
    private static let unavailable = Failure(
        phase: .plan, kind: .internal, message: "this build has no planner and no runner yet")
}
