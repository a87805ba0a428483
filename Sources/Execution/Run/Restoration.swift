import Basics
import Packaging
import Planning
import Scheduling

/// What an earlier process of the same run has left, as far as it can be trusted.
struct Restoration: Sendable {
    var plan: Plan
    var artifacts: ArtifactStore
    var output: String
    /// A run that is to stop does not read the rest of the store first.
    var isStopping: @Sendable () -> Bool

    /// From recorded progress by key to progress by job id. A finished job counts only when its artifact has the recorded size
    /// and hash; a published area only when `current` is there. Packages are cheap and are made again.
    func callAsFunction(_ recorded: [String: JobProgress]) async -> [String: JobProgress] {
        var restored: [String: JobProgress] = [:]
        var published: Set<String> = []
        var trusted: [String: Bool] = [:]
        // A map that lacks a layer is made again when the layer comes.
        let finished = Set(plan.jobs.filter { if case .done? = recorded[$0.key] { true } else { false } }.map(\.id))
        let lacking = Set(plan.jobs.filter { $0.kind == .package && !finished.isSuperset(of: $0.dependsOn) }.map(\.area))
        for job in plan.jobs where !isStopping() {
            guard let progress = recorded[job.key] else { continue }
            switch progress {
            case .done(let artifact?):
                if trusted[artifact.sha256] == nil {
                    trusted[artifact.sha256] = await offPool { [artifacts] () throws(Never) in artifacts.isWhole(artifact) }
                }
                if trusted[artifact.sha256] == true { restored[job.id] = progress }
            case .done(nil) where job.kind == .publish:
                guard !lacking.contains(job.area), Generations(output: output, area: job.area).current != nil else { continue }
                restored[job.id] = progress
                published.insert(job.area)
            case .submitted, .ready: restored[job.id] = progress
            default: break
            }
        }
        for job in plan.jobs where published.contains(job.area) && job.kind == .package { restored[job.id] = .done(nil) }
        // An area that is out needs nothing more, whether or not its artifacts are still in the store.
        for job in plan.jobs where published.contains(job.area) && restored[job.id] == nil {
            restored[job.id] = recorded[job.key]
        }
        return restored
    }
}
