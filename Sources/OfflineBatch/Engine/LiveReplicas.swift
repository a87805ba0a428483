import ArcGIS
import Execution
import Manifest
import Planning
import Reporting

/// The replicas on record, with a connection that is made only when there are some.
struct LiveReplicas {
    let manifest: Manifest
    let settings: ReplicaSettings

    private var own: OwnReplicas {
        OwnReplicas(
            stateDirectory: settings.stateDirectory,
            connect: { [manifest, settings] () async throws(PlanRefusal) in
                try await Services.open(
                    manifest.portal, limits: manifest.limits, variables: settings.variables, say: Engine.say
                ).client
            })
    }

    func list() async throws(CommandStop) -> [ReplicaRow] {
        do throws(RunStop) {
            return try await own.list().map(Self.row)
        } catch {
            throw CommandStop(error)
        }
    }

    func unregister() async throws(CommandStop) -> [ReplicaRow] {
        do throws(RunStop) {
            return try await own.unregister(ids: settings.ids).map(Self.row)
        } catch {
            throw CommandStop(error)
        }
    }

    private static func row(_ replica: OwnReplica) -> ReplicaRow {
        let standing: ReplicaRow.Standing =
            switch replica.standing {
            case .registered: .registered
            case .goneAtServer: .goneAtServer
            case .unregistered: .unregistered
            case .failed(let failure): .failed(failure)
            }
        return ReplicaRow(
            service: replica.record.serviceURL, id: replica.record.replicaID, name: replica.record.name, job: replica.record.job,
            since: replica.since, isKept: replica.record.isKept, standing: standing)
    }
}

extension CommandStop {
    init(_ stop: RunStop) {
        self.init(
            outcome: stop.outcome, problems: stop.problems.isEmpty ? [PlanProblem(failure: stop.failure)] : stop.problems)
    }
}
