import ArcGIS
import Basics

/// How many rows replicas will have, asked of the services with the queries that will prove them. A question, not an export: it
/// starts nothing at a server.
struct RowCounts {
    private var answers: [ServiceRequest: Result<Int, ArcGISError>] = [:]

    /// Nothing was asked.
    static let none = RowCounts()

    private init() {}

    /// - Parameter limit: questions open at once.
    init(of jobs: [Job], client: ArcGISClient, limit: Int) async {
        answers = await concurrently(jobs.flatMap(\.countQueries), limit: limit) { query in
            do throws(ArcGISError) { return .success(try await client.count(query)) } catch { return .failure(error) }
        }
    }

    /// Fills in `estimate.rows`, which stays nil where a service did not count.
    /// - Returns: one problem for each service that did not.
    func fill(_ jobs: inout [Job]) -> [PlanProblem] {
        var problems: [PlanProblem] = []
        for index in jobs.indices {
            guard case .replica(let work) = jobs[index].work, work.layers.contains(where: { $0.countQuery != nil }) else {
                continue
            }
            do throws(ArcGISError) {
                var counted: [LayerRows] = []
                for layer in work.layers {
                    guard let query = layer.countQuery, let answer = answers[query] else { continue }
                    counted.append(LayerRows(layerID: layer.layerID, name: layer.name, rows: try answer.get()))
                }
                jobs[index].estimate.layerRows = counted
                jobs[index].estimate.rows = counted.reduce(0) { $0 + $1.rows }
            } catch {
                problems.append(
                    PlanProblem(
                        area: jobs[index].area, layer: jobs[index].layers.first, failure: Failure(.metadata, error)))
            }
        }
        return problems
    }

    /// Why a service will never count so; nil when it did, or may another time.
    func refusal(of query: ServiceRequest) -> Failure? {
        guard case .failure(let error)? = answers[query], case .service = error.kind, !error.isTransient else { return nil }
        return Failure(.plan, error)
    }

    /// What is known, else what the service says now.
    func count(_ query: ServiceRequest, _ client: ArcGISClient) async throws(ArcGISError) -> Int {
        if let answer = answers[query] { return try answer.get() }
        return try await client.count(query)
    }
}

extension ArcGISClient {
    fileprivate func count(_ query: ServiceRequest) async throws(ArcGISError) -> Int {
        try await count(ServiceQuery(url: query.url, parameters: query.parameters))
    }
}

extension Job {
    fileprivate var countQueries: [ServiceRequest] {
        guard case .replica(let work) = work else { return [] }
        return work.layers.compactMap(\.countQuery)
    }
}
