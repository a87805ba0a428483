import Basics

/// What a service expects of an export.
public struct ExportEstimate: Sendable, Hashable {
    public var bytes: Int
    public var tiles: Int?
}

extension ArcGISClient {
    /// The service's own estimate of an export of tiles (REST reference 6.3). It is a job on the server, which is asked until it is
    /// done; vector tile services have none.
    /// - Parameter patience: how long; then the job is cancelled.
    public func estimateExportTiles(
        _ serviceURL: String, _ parameters: [String: String], patience: Duration = .seconds(120)
    ) async throws(ArcGISError) -> ExportEstimate {
        let url = serviceURL + "/estimateExportTilesSize"
        let answer = try await json(url, parameters, method: .post)
        guard let id = answer["jobId"]?.string, !id.isEmpty else {
            throw .unexpected("an estimate without a job", answer, url: url)
        }
        let jobURL = "\(url)/jobs/\(FormEncoding.encode(id))"
        let end = ContinuousClock.now + patience
        var wait = Duration.milliseconds(250)
        while true {
            let status = try await jobStatus(jobURL)
            switch status.state {
            case .succeeded, .succeededWithErrors: return try await estimate(status, jobURL)
            case .failed, .cancelled, .gone:
                throw ArcGISError(
                    kind: .service(
                        code: status.errorCode, messageCode: nil,
                        message: status.errorMessage.isEmpty ? "the estimate ended as \(status.word)" : status.errorMessage,
                        details: status.errorDetails),
                    url: jobURL)
            case .running, .unknown: break
            }
            guard ContinuousClock.now + wait < end, (try? await Task.sleep(for: wait)) != nil else {
                try? await cancel(jobURL)
                throw .unexpected("an estimate that came to no end", status.result, url: jobURL)
            }
            wait = min(wait * 2, .seconds(5))
        }
    }

    private func estimate(_ status: ServerJobStatus, _ jobURL: String) async throws(ArcGISError) -> ExportEstimate {
        let parameter = status.result["results"]?["out_service_url"] ?? status.result["results"]?.object?.members.first?.value
        var value = parameter?["value"]
        if value == nil, let path = parameter?["paramUrl"]?.string { value = try await json(URLText.join(jobURL, path))["value"] }
        guard let bytes = value?["totalSize"]?.int, bytes >= 0 else {
            throw .unexpected("an estimate without a size", value ?? status.result, url: jobURL)
        }
        return ExportEstimate(bytes: bytes, tiles: value?["totalTilesToExport"]?.int)
    }
}
