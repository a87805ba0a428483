import ArcGIS
import Basics

/// The services' own estimates (`estimateExportTilesSize`, REST reference 6.3). The only estimate that starts something: asked for only
/// where the user says so.
struct ServerEstimates {
    var client: ArcGISClient
    /// Jobs open at once.
    var limit = 4

    /// Fills in `estimate.bytes` of what services estimated; the others are left to samples.
    func fill(_ jobs: inout [Job]) async {
        let answers = await concurrently(jobs.compactMap(\.estimateRequest), limit: limit) { request in
            try? await client.estimateExportTiles(request.url, request.parameters)
        }
        for index in jobs.indices {
            guard let request = jobs[index].estimateRequest, let found = answers[request] ?? nil else { continue }
            jobs[index].estimate.bytes = ByteEstimate(
                likely: found.bytes, low: found.bytes, high: found.bytes, sampled: found.tiles ?? 0, sample: .service)
        }
    }
}

extension Job {
    /// What is asked: the export itself, without what only an export takes. Vector tile services do not estimate.
    fileprivate var estimateRequest: ServiceRequest? {
        guard case .tiles(let work) = work else { return nil }
        let names = ["tilePackage", "exportExtent", "exportBy", "levels", "areaOfInterest", "storageFormatType"]
        return ServiceRequest(
            url: work.serviceURL, parameters: work.request.parameters.filter { names.contains($0.key) })
    }
}
