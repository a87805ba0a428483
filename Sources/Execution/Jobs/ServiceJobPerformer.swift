import ArcGIS
import Basics
import Formats
import Packaging
import Planning
import Scheduling
import Transport

/// The real `JobPerformer`: servers through `ArcGISClient`, files through the artifact store.
public struct ServiceJobPerformer: JobPerformer {
    let client: ArcGISClient
    let artifacts: ArtifactStore
    let exports: ExportSteps
    let replicas: ReplicaLedger
    let download: ResultDownload
    let local: LocalJobs
    let space: SpaceWatch
    let onPublished: @Sendable (_ area: String, _ generation: String, _ failed: Set<String>) async -> Void

    init(
        client: ArcGISClient, jobClient: ArcGISClient, transport: any HTTPTransport, artifacts: ArtifactStore, local: LocalJobs,
        replicas: ReplicaLedger, jobDeadline: Duration, space: SpaceWatch,
        onPublished: @escaping @Sendable (_ area: String, _ generation: String, _ failed: Set<String>) async -> Void
    ) {
        self.client = client
        self.artifacts = artifacts
        self.local = local
        self.space = space
        self.onPublished = onPublished
        self.replicas = replicas
        exports = ExportSteps(client: jobClient, replicas: replicas, jobDeadline: jobDeadline)
        download = ResultDownload(client: jobClient, transport: transport, artifacts: artifacts)
    }

    public func submit(_ job: Job) async throws(Failure) -> Submission {
        // What a server made for nobody is a burden on it.
        try await space.check([.state])
        return try await exports.submit(job)
    }

    public func poll(_ job: Job, jobURL: String) async throws(Failure) -> PollAnswer {
        try await space.check([.state])
        return try await exports.poll(job, jobURL: jobURL)
    }

    public func cancel(_ job: Job, jobURL: String) async { await exports.cancel(job, jobURL: jobURL) }

    public func fetch(
        _ job: Job, resultURL: String, sendsCredentials: Bool, progress: @escaping @Sendable (Int, Int?) -> Void
    ) async throws(Failure) -> ArtifactReference {
        try await space.during([.state]) { () throws(Failure) in
            try await brought(job, resultURL, sendsCredentials, progress)
        }
    }

    private func brought(
        _ job: Job, _ resultURL: String, _ sendsCredentials: Bool, _ progress: @escaping @Sendable (Int, Int?) -> Void
    ) async throws(Failure) -> ArtifactReference {
        // An earlier process got as far as the store, and no further.
        if let artifact = artifacts.receipt(key: job.key, url: resultURL)?.artifact {
            if await offPool({ [artifacts] () throws(Never) in artifacts.isWhole(artifact) }) {
                await replicas.fetched(job, artifact)
                return artifact
            }
        }
        // Of bytes that were here before, a power cut may have left zeros: then the file is fetched from its start, and the server's job
        // is not to blame.
        let isResumed = ((try? Files.size(artifacts.partialPath(key: job.key))) ?? 0) > 0
        do throws(Failure) {
            return try await fetched(job, resultURL, sendsCredentials, progress)
        } catch {
            guard isResumed, error.kind == .verification else { throw error }
            return try await fetched(job, resultURL, sendsCredentials, progress)
        }
    }

    private func fetched(
        _ job: Job, _ resultURL: String, _ sendsCredentials: Bool, _ progress: @escaping @Sendable (Int, Int?) -> Void
    ) async throws(Failure) -> ArtifactReference {
        var receipt = try await download(job, url: resultURL, sendsCredentials: sendsCredentials, progress: progress)
        progress(receipt.bytes, receipt.bytes)
        let proof: Proof
        do throws(Failure) {
            proof = try await prove(artifacts.partialPath(key: job.key), job)
        } catch {
            // What is not proven is not kept, unless the doubt is about the network.
            if error.kind == .verification { try? artifacts.dropPartial(key: job.key) }
            throw error
        }
        let artifact = proof.artifact(sha256: receipt.sha256, bytes: receipt.bytes)
        receipt.artifact = artifact
        try await keep(artifact, receipt, job)
        await replicas.fetched(job, artifact)
        return artifact
    }

    public func settle(_ job: Job) async {
        _ = try? await offPool { [artifacts] () throws(SystemError) in try artifacts.dropPartial(key: job.key) }
        await replicas.release(job)
    }

    private func prove(_ path: String, _ job: Job) async throws(Failure) -> Proof {
        switch job.work {
        case .replica(let work): try await ReplicaProof(client: client).prove(path, work)
        case .tiles(let work), .vectorTiles(let work):
            try await offPool { () throws(Failure) in try TileProof.prove(path, work) }
        case .style, .basemap, .package, .publish:
            throw Failure(phase: .verify, kind: .internal, message: "\(job.kind.rawValue) has no result file")
        }
    }

    /// - Parameter receipt: of a result; what is made here is made again at no cost.
    private func keep(_ artifact: ArtifactReference, _ receipt: Receipt?, _ job: Job) async throws(Failure) {
        do throws(SystemError) {
            try await offPool { [artifacts] () throws(SystemError) in
                if let receipt { try artifacts.write(receipt, key: job.key) }
                try artifacts.adopt(artifacts.partialPath(key: job.key), sha256: artifact.sha256)
            }
        } catch {
            throw Failure(.state, error)
        }
    }

    public func perform(_ job: Job, inputs: JobInputs) async throws(Failure) -> LocalResult {
        switch job.work {
        case .style(let work):
            return .artifact(
                try await space.during([.state]) { () throws(Failure) in try await copyStyle(work, job) })
        case .basemap(let basemap):
            // A package of tiles takes about what their database does.
            try await space.check([.state], for: basemap.bytes)
            return .artifact(try await copy(basemap, job))
        case .package:
            try await space.check([.state])
            try await space.check([.maps(area: job.area)], for: local.bytesToCopy(job, inputs: inputs))
            return try await local.package(job, inputs: inputs)
        case .publish:
            try await space.check([.state, .maps(area: job.area)])
            let result = try await local.publish(job)
            if case .published(let generation, _, _) = result {
                await onPublished(job.area, generation, Set(inputs.failures.keys))
            }
            return result
        case .replica, .tiles, .vectorTiles:
            throw Failure(phase: .submit, kind: .internal, message: "\(job.kind.rawValue) is no local job")
        }
    }

    private func copy(_ basemap: ReferenceBasemap, _ job: Job) async throws(Failure) -> ArtifactReference {
        let path = artifacts.partialPath(key: job.key)
        let proof = try await BasemapFile.copy(basemap, to: path)
        return try await keepLocal(path, proof, job)
    }

    private func copyStyle(_ work: StyleWork, _ job: Job) async throws(Failure) -> ArtifactReference {
        let copy = try await StyleDownload(client: client)(work)
        let path = artifacts.partialPath(key: job.key)
        do throws(FormatError) {
            try await offPool { () throws(FormatError) in try StyleArchive.write(copy.files, to: path) }
        } catch {
            throw Failure(.download, error)
        }
        return try await keepLocal(
            path, Proof(fileExtension: "zip", warnings: copy.warnings, counts: ["files": copy.files.count]), job)
    }

    /// A file that was made here, into the store.
    private func keepLocal(_ path: String, _ proof: Proof, _ job: Job) async throws(Failure) -> ArtifactReference {
        let (sha256, bytes): (String, Int)
        do throws(SystemError) {
            (sha256, bytes) = try await offPool { () throws(SystemError) in
                (try SHA256.hex(ofFile: path), try Files.size(path))
            }
        } catch {
            throw Failure(.state, error)
        }
        let artifact = proof.artifact(sha256: sha256, bytes: bytes)
        try await keep(artifact, nil, job)
        return artifact
    }
}
