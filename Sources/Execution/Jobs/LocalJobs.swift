import ArcGIS
import Basics
import Foundation
import Packaging
import Planning
import Scheduling

/// Package and publish: what happens on this machine alone.
struct LocalJobs: Sendable {
    var plan: Plan
    var planHash: String
    var output: String
    var artifacts: ArtifactStore
    /// Of this run: the name of its generations.
    var started: Date
    var thumbnail: @Sendable () async -> Thumbnail?
    /// Areas that a person took back to an older map.
    var rollbacks: [String: Rollback] = [:]
    /// When the run began, which may be before this process; milliseconds since 1970.
    var fetched: Int
    /// Parts of the maps that are out, by the key of the job that would bring them.
    var kept: [String: KeptPart] = [:]
    /// What stands in for jobs that fail, by their ids.
    var lastGood: [String: KeptPart] = [:]

    func package(_ job: Job, inputs: JobInputs) async throws(Failure) -> LocalResult {
        guard let area = plan.areas.first(where: { $0.id == job.area }) else {
            throw Failure(phase: .package, kind: .internal, message: "the plan has no area \(job.area)")
        }
        var plan = plan
        var parts: [PackagedPart] = []
        for needed in self.plan.jobs where job.dependsOn.contains(needed.id) {
            if inputs.artifacts[needed.id] == nil, let failure = inputs.failures[needed.id] {
                if let kept = lastGood[needed.id] {
                    parts.append(PackagedPart(job: needed, standingIn: kept, because: failure))
                } else {
                    plan.leaveOut(needed.layers, of: area.id, because: failure)
                }
                continue
            }
            guard let artifact = inputs.artifacts[needed.id] else {
                throw Failure(phase: .package, kind: .internal, message: "\(needed.id) has left no artifact")
            }
            parts.append(
                PackagedPart(
                    job: needed, source: artifacts.path(artifact.sha256), sha256: artifact.sha256, bytes: artifact.bytes,
                    fileExtension: artifact.fileExtension, counts: artifact.counts, warnings: artifact.warnings,
                    fetched: fetched, kept: kept[needed.key]))
        }
        let folder = MapFolder(
            plan: plan, planHash: planHash, area: area, parts: parts, thumbnail: await thumbnail(),
            created: Int64(started.timeIntervalSince1970) * 1000)
        let generations = Generations(output: output, area: area.id)
        let name = Generations.name(of: started)
        do throws(MapFolder.Problem) {
            let bytes = try await offPool { () throws(MapFolder.Problem) in
                let stage: String
                do throws(SystemError) { stage = try generations.stage(name) } catch { throw .system(error) }
                return try folder.write(to: stage)
            }
            return .packaged(bytes: bytes, warnings: [])
        } catch {
            throw Failure(.package, error)
        }
    }

    /// What the map of an area takes on its own file system: nothing where its files can be links.
    func bytesToCopy(_ job: Job, inputs: JobInputs) -> Int {
        let own = Paths.join(output, job.area)
        guard let maps = try? FileStatus.of((Files.isDirectory(own) ? own : output) + "/.").identity.device,
            let store = try? FileStatus.of(artifacts.root + "/.").identity.device, maps != store
        else { return 0 }
        return plan.jobs.filter { job.dependsOn.contains($0.id) && kept[$0.key] == nil }.reduce(0) {
            $0 + (inputs.artifacts[$1.id]?.bytes ?? 0)
        }
    }

    func publish(_ job: Job) async throws(Failure) -> LocalResult {
        let generations = Generations(output: output, area: job.area)
        let name = Generations.name(of: started)
        do throws(SystemError) {
            let (generation, bytes) = try await offPool { () throws(SystemError) in
                let path = try generations.publish(name)
                return (path, try Self.size(Paths.join(output, path)))
            }
            let tidying = MapTidying(output: output, keep: plan.keep)
            let remarks = await offPool { [started] () throws(Never) in tidying(job.area, now: started) }
            let rollback = rollbacks[job.area].map { ["this map replaces the rollback from \($0.from)"] } ?? []
            return .published(generation: generation, bytes: bytes, warnings: rollback + remarks)
        } catch {
            throw Failure(.publish, error)
        }
    }

    private static func size(_ folder: String) throws(SystemError) -> Int {
        var total = 0
        for name in try Files.list(folder) {
            let path = "\(folder)/\(name)"
            total += Files.isDirectory(path) ? try size(path) : try Files.size(path)
        }
        return total
    }
}

extension Failure {
    init(_ phase: Phase, _ error: MapFolder.Problem) {
        switch error {
        case .system(let error): self.init(phase, error)
        case .style(let error): self.init(phase, error)
        case .document(let error):
            self.init(phase: phase, kind: .internal, message: "the map document cannot be written: \(error)")
        }
    }
}
