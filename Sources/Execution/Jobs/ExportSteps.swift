import ArcGIS
import Basics
import Planning

/// Submitting and asking server jobs: createReplica and the three kinds of exportTiles (REST reference 4, 6, 7).
struct ExportSteps: Sendable {
    var client: ArcGISClient
    /// The replicas that servers keep because of us.
    var replicas: ReplicaLedger
    /// The time that a job has, and so a request that takes the place of one.
    var jobDeadline: Duration

    func submit(_ job: Job) async throws(Failure) -> Submission {
        switch job.work {
        case .replica(let work): return try await submit(work, job)
        case .tiles(let work), .vectorTiles(let work):
            do throws(ArcGISError) {
                let url = try await client.exportTiles(work.serviceURL, work.request.parameters, kind: work.service).url
                return .job(url: KnownSecrets.removed(from: url))
            } catch {
                throw Failure(.submit, error)
            }
        case .style, .basemap, .package, .publish:
            throw Failure(phase: .submit, kind: .internal, message: "\(job.kind.rawValue) is no server job")
        }
    }

    private func submit(_ work: ReplicaWork, _ job: Job) async throws(Failure) -> Submission {
        var form = work.request.parameters
        let request = try await announced(work, job)
        if let request { form["replicaName"] = request.name }
        let answer: ReplicaAnswer
        do throws(ArcGISError) {
            answer = try await client.submitReplica(work.request.url, form, silence: work.isSynchronous ? jobDeadline : nil)
        } catch {
            // No answer, or one of a gateway, does not say that there is no replica.
            if let request, !error.isTransient { await replicas.refused(request) }
            throw Failure(.submit, error)
        }
        await remember(answer.replicaID, name: answer.replicaName ?? request?.name, work, job)
        switch answer.submission {
        case .job(let url): return .job(url: KnownSecrets.removed(from: url))
        case .file(let url): return .file(url: KnownSecrets.removed(from: url), sendsCredentials: true)
        case .embedded:
            throw Failure(
                phase: .submit, kind: .permanent, message: "data inside the answer instead of a file", details: [work.request.url]
            )
        }
    }

    /// What the server will keep account of is on record before it is asked for.
    private func announced(_ work: ReplicaWork, _ job: Job) async throws(Failure) -> ReplicaRequestRecord? {
        guard work.registration != .none, let name = work.request.parameters["replicaName"] else { return nil }
        do throws(SQLiteError) {
            return try await replicas.requested(name, work.serviceURL, job: job.id)
        } catch {
            throw Failure(state: error)
        }
    }

    func poll(_ job: Job, jobURL: String) async throws(Failure) -> PollAnswer {
        do throws(ArcGISError) {
            let status = job.kind == .replica ? try await client.replicaStatus(jobURL) : try await client.exportStatus(jobURL)
            switch status.state {
            case .running, .unknown: return .running(status.word)
            case .gone:
                return .gone(
                    Failure(
                        phase: .poll, kind: .serverJob, code: 404, message: "the server does not know the job any more",
                        details: [jobURL]))
            case .failed, .cancelled: return .gone(Self.failure(status))
            case .succeeded, .succeededWithErrors: return try await result(job, status)
            }
        } catch {
            throw Failure(.poll, error)
        }
    }

    private func result(_ job: Job, _ status: ServerJobStatus) async throws(ArcGISError) -> PollAnswer {
        let problems = status.state == .succeededWithErrors ? status.messages.map(\.text) + [status.errorMessage] : []
        let warnings = problems.filter { !$0.isEmpty }.map(Redaction.text)
        guard case .replica(let work) = job.work else {
            do {
                let location = try await client.exportResult(status.url, status.result)
                return .ready(
                    resultURL: KnownSecrets.removed(from: location.url), sendsCredentials: location.sendsCredentials,
                    warnings: warnings)
            } catch {
                // The job is done and its folder is not there any more.
                guard error.isMissing else { throw error }
                return .gone(Failure(.result, error))
            }
        }
        await remember(status.replicaID, name: status.result["replicaName"]?.string, work, job)
        guard let url = status.resultURL else {
            // "Completed" without a file (cases B03).
            return .gone(
                Failure(
                    phase: .result, kind: .serverJob, message: "the job is \(status.word) but names no file",
                    details: ["members: " + (status.result.object?.keys.joined(separator: ", ") ?? "")]))
        }
        return .ready(resultURL: KnownSecrets.removed(from: url), sendsCredentials: true, warnings: warnings)
    }

    private func remember(_ id: String?, name: String?, _ work: ReplicaWork, _ job: Job) async {
        guard work.registration != .none, let id else { return }
        await replicas.registered(
            ReplicaRecord(
                serviceURL: work.serviceURL, replicaID: id, name: name ?? "", job: job.id, isKept: work.registration == .kept))
    }

    private static func failure(_ status: ServerJobStatus) -> Failure {
        let message = status.errorMessage.isEmpty ? "the job ended as \(status.word)" : status.errorMessage
        return Failure(
            phase: .poll, kind: status.isRefusal ? .permanent : .serverJob, code: status.errorCode, message: message,
            details: status.errorDetails)
    }

    func cancel(_ job: Job, jobURL: String) async {
        // createReplica jobs have no cancel operation (REST reference 4.4); they end by themselves.
        guard job.kind == .tiles || job.kind == .vectorTiles else { return }
        do throws(ArcGISError) { try await client.cancel(jobURL) } catch { return }
    }
}
