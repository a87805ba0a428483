import ArcGIS
import Manifest

/// How many rows replicas will have, asked of the services with the queries that will prove them. A question, not an export: it
/// starts nothing at a server.
struct RowCounts {
    var client: ArcGISClient
    /// Questions open at once.
    var limit = 4

    /// Fills in `estimate.rows`, which stays nil where a service did not count.
    /// - Returns: one problem for each service that did not.
    func fill(_ jobs: inout [Job]) async -> [PlanProblem] {
        let questions = jobs.flatMap(\.countQueries)
        let answers = await ask(Array(Set(questions)))
        var problems: [PlanProblem] = []
        for index in jobs.indices {
            let own = jobs[index].countQueries
            if own.isEmpty { continue }
            var total = 0
            var failure: Failure?
            for query in own {
                switch answers[query] {
                case .success(let count)?: total += count
                case .failure(let error)?: failure = failure ?? Failure(.metadata, error)
                case nil: break
                }
            }
            if let failure {
                problems.append(PlanProblem(area: jobs[index].area, layer: jobs[index].layers.first, failure: failure))
            } else {
                jobs[index].estimate.rows = total
            }
        }
        return problems
    }

    private func ask(_ queries: [ServiceRequest]) async -> [ServiceRequest: Result<Int, ArcGISError>] {
        await withTaskGroup(of: (ServiceRequest, Result<Int, ArcGISError>).self) { group in
            var answers: [ServiceRequest: Result<Int, ArcGISError>] = [:]
            for (index, query) in queries.enumerated() {
                if index >= limit, let (done, answer) = await group.next() { answers[done] = answer }
                group.addTask { (query, await count(query)) }
            }
            for await (done, answer) in group { answers[done] = answer }
            return answers
        }
    }

    private func count(_ query: ServiceRequest) async -> Result<Int, ArcGISError> {
        do throws(ArcGISError) {
            return .success(try await client.count(ServiceQuery(url: query.url, parameters: query.parameters)))
        } catch {
            return .failure(error)
        }
    }
}

extension Job {
    fileprivate var countQueries: [ServiceRequest] {
        guard case .replica(let work) = work else { return [] }
        return work.layers.compactMap(\.countQuery)
    }
}

extension Budget {
    /// Both numbers, and the jobs that need the most.
    func problems(_ jobs: [Job]) -> [PlanProblem] {
        check("tiles", tiles, jobs, \.tiles) + check("rows", rows, jobs, \.rows)
    }

    private func check(_ words: String, _ limit: Int?, _ jobs: [Job], _ path: KeyPath<Estimate, Int?>) -> [PlanProblem] {
        let counted = jobs.compactMap { job in job.estimate[keyPath: path].map { (id: job.id, count: $0) } }
        let total = counted.reduce(0) { $0 + $1.count }
        guard let limit, total > limit else { return [] }
        let largest = counted.sorted { ($1.count, $0.id) < ($0.count, $1.id) }.prefix(5).map { "\($0.id): \($0.count) \(words)" }
        return [
            PlanProblem(failure: .refusal("the plan needs \(total) \(words), the budget allows \(limit)", Array(largest)))
        ]
    }
}
