import ArcGIS
import Execution
import Manifest
import Planning
import Reporting

extension Engine {
    static func prune(_ manifest: Manifest, _ settings: PruneSettings) async throws(CommandStop) -> PruneReport {
        let pruning = MapPruning(
            output: manifest.output.directory, stateDirectory: settings.stateDirectory,
            retention: Retention(manifest.output.keep), areas: Set(settings.areas),
            connect: { () async throws(PlanRefusal) in
                try await Services.open(
                    manifest.portal, limits: manifest.limits, variables: settings.variables, say: say
                ).client
            })
        do throws(RunStop) {
            let result = try await settings.isRehearsal ? pruning.rehearse(now: settings.now) : pruning(now: settings.now)
            return PruneReport(
                rows: result.rows, freedBytes: result.freedBytes,
                replicas: result.replicas.map { "\($0.replicaID) at \($0.serviceURL)" }, replicaFailure: result.replicaFailure,
                isRehearsal: settings.isRehearsal)
        } catch {
            throw CommandStop(error)
        }
    }
}
