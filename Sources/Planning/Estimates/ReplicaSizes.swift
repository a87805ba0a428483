import ArcGIS
import Basics

/// Sizes of replicas: a rough guess from some rows of each layer as JSON. How many bytes of SQLite a row of JSON becomes depends on its
/// fields and shapes; the band is wide enough for points with few fields as for polygons with many vertices.
struct ReplicaSizes {
    var client: ArcGISClient
    /// By service URL.
    var services: [String: FeatureServiceInfo]
    var counts: RowCounts
    var limit: Int

    /// Rows of a layer that are looked at.
    private static let rows = 40
    /// System tables, domains, the service's own documents: replicas of one to six layers that were seen have 200 kB to 500 kB without
    /// their rows.
    private static let database = Band(low: 120_000, likely: 250_000, high: 800_000)
    /// A table with its indexes and views, empty.
    private static let table = Band(low: 8_000, likely: 30_000, high: 80_000)
    /// Bytes in the database for one byte of JSON.
    private static let factor = Band(low: 0.15, likely: 0.45, high: 1.2)
    /// The entries of a row in its indexes: object id, global id, shape.
    private static let entries = Band(low: 20, likely: 90, high: 220)

    /// One layer of a replica: the rows that will come, asked for as they will be.
    private struct Question: Hashable {
        var query: ServiceRequest
        /// Rows come through relationships: the query is for all rows that could come.
        var countsAll: Bool
        var attachmentsURL: String?
        var objectIDField: String?
    }

    private struct Sample {
        var rows: Int
        var bytes: Int
        var attachments: Int
    }

    /// Fills in `estimate.bytes`, or why it stays unknown.
    func fill(_ jobs: inout [Job]) async {
        let questions = jobs.map(layerQuestions)
        let answers = await concurrently(questions.flatMap { $0 }, limit: limit) { question in
            await ask(question)
        }
        for index in jobs.indices where jobs[index].kind == .replica {
            do throws(Failure) {
                jobs[index].estimate.bytes = try estimate(questions[index], answers)
            } catch {
                jobs[index].estimate.sizeProblem = error
            }
        }
    }

    private func layerQuestions(_ job: Job) -> [Question] {
        guard case .replica(let work) = job.work else { return [] }
        let bringsAttachments = work.request.parameters["returnAttachments"] == "true"
        return work.layers.map { layer in
            let info = services[work.serviceURL]?.layer(layer.layerID)
            let url = "\(work.serviceURL)/\(layer.layerID)"
            let all = ServiceRequest(url: url + "/query", parameters: ["where": "1=1", "returnCountOnly": "true"])
            return Question(
                query: layer.countQuery ?? all, countsAll: layer.countQuery == nil,
                attachmentsURL: bringsAttachments && info?.hasAttachments == true ? url + "/queryAttachments" : nil,
                objectIDField: info?.objectIDField)
        }
    }

    private func ask(_ question: Question) async -> Result<(count: Int, sample: Sample), Failure> {
        do throws(ArcGISError) {
            let count = try await counts.count(question.query, client)
            if count == 0 { return .success((0, Sample(rows: 0, bytes: 0, attachments: 0))) }
            return .success((count, try await sample(question)))
        } catch {
            return .failure(Failure(.metadata, error))
        }
    }

    private func sample(_ question: Question) async throws(ArcGISError) -> Sample {
        var form = question.query.parameters
        form["returnCountOnly"] = nil
        form["outFields"] = "*"
        form["returnGeometry"] = "true"
        form["resultRecordCount"] = String(Self.rows)
        let answer = try await client.json(question.query.url, form)
        // Services that do not page send a whole page: the first rows of it are enough.
        let rows = (answer["features"]?.array ?? []).prefix(Self.rows)
        var sample = Sample(rows: rows.count, bytes: rows.reduce(0) { $0 + $1.serialized().utf8.count }, attachments: 0)
        guard let url = question.attachmentsURL, let field = question.objectIDField else { return sample }
        let ids = rows.compactMap { $0["attributes"]?[field]?.int }.map(String.init)
        if ids.isEmpty { return sample }
        let found = try await client.json(url, ["objectIds": ids.joined(separator: ",")])
        for group in found["attachmentGroups"]?.array ?? [] {
            sample.attachments += (group["attachmentInfos"]?.array ?? []).reduce(0) { $0 + ($1["size"]?.int ?? 0) }
        }
        return sample
    }

    private func estimate(
        _ questions: [Question], _ answers: [Question: Result<(count: Int, sample: Sample), Failure>]
    ) throws(Failure) -> ByteEstimate {
        var band = Self.database
        var sampled = 0
        for question in questions {
            guard let (count, sample) = try answers[question]?.get() else { continue }
            band = band + Self.table
            guard sample.rows > 0 else { continue }
            sampled += sample.rows
            let row = Self.factor * (Double(sample.bytes) / Double(sample.rows)) + Self.entries
            let files = Double(sample.attachments) / Double(sample.rows)
            var rows = (row + Band(low: files * 0.5, likely: files, high: files * 2)) * Double(count)
            // Rows that come through relationships: none, all, or anything between.
            if question.countsAll { rows = Band(low: 0, likely: rows.likely / 2, high: rows.high) }
            band = band + rows
        }
        return ByteEstimate(band, sampled: sampled, .rows)
    }
}
