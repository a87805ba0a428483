import ArcGIS
import Basics
import Geography

/// Sizes of tile packages and styles, from a sample of the tiles and resources that they will hold. The services' own estimate
/// (`estimateExportTilesSize`, REST reference 6.3) is a job on the server: planning starts none of itself (`ServerEstimates`).
struct TileSizes {
    var client: ArcGISClient
    /// By service URL.
    var offers: [String: TileOffer]
    /// Questions open at once.
    var limit: Int

    /// Tiles looked at for one job; fewer where a plan has many jobs, so that it asks about `most` in all.
    private static let tilesAJob = 4...24
    private static let most = 480
    private static let resourcesAJob = 12

    /// One thing whose size is asked for.
    private struct Probe: Hashable {
        var url: String
        var storage: ArcGISClient.Storage
    }

    /// Alike things: how many there are, and which are looked at.
    private struct Group {
        var population: Int
        var probes: [Probe]
        var sample: ByteEstimate.Sample
    }

    private struct Question {
        var job: Int
        var groups: [Group]
        /// All that is not in a group: indexes, descriptions.
        var fixed: Band
        /// The same where tiles turned out to be missing, so that a bundle may be missing as well.
        var leastFixed: Double
        /// Images are compressed again: they come smaller than they are now.
        var isRecompressed: Bool
    }

    /// Fills in `estimate.bytes`, or why it stays unknown.
    func fill(_ jobs: inout [Job]) async {
        let lists = await resourceLists(jobs)
        let tileJobs = jobs.count { $0.kind == .tiles || $0.kind == .vectorTiles }
        let perJob = max(Self.tilesAJob.lowerBound, min(Self.tilesAJob.upperBound, Self.most / max(1, tileJobs)))
        var questions: [Question] = []
        for index in jobs.indices where jobs[index].estimate.bytes == nil {
            do throws(Failure) {
                guard let question = try question(index, jobs[index], lists, perJob) else { continue }
                questions.append(question)
            } catch {
                jobs[index].estimate.sizeProblem = error
            }
        }
        let sizes = await concurrently(questions.flatMap { $0.groups.flatMap(\.probes) }, limit: limit) { probe in
            await Self.result { () throws(ArcGISError) in try await client.size(of: probe.url, stored: probe.storage) }
        }
        for question in questions {
            do throws(Failure) {
                jobs[question.job].estimate.bytes = try Self.estimate(question, sizes)
            } catch {
                jobs[question.job].estimate.sizeProblem = error
            }
        }
    }

    // MARK: What to look at

    /// nil for jobs of other kinds.
    private func question(
        _ index: Int, _ job: Job, _ lists: [String: Result<[String], Failure>], _ perJob: Int
    ) throws(Failure) -> Question? {
        switch job.work {
        case .tiles(let work): return try tiles(index, job, work, perJob)
        case .vectorTiles(let work):
            var question = try tiles(index, job, work, perJob)
            question.groups.append(try resources(lists[work.serviceURL], job))
            return question
        case .style(let work):
            return Question(
                job: index, groups: [try resources(lists[work.styleURL], job)],
                fixed: Band(low: 2_000, likely: 20_000, high: 200_000), leastFixed: 2_000, isRecompressed: false)
        case .replica, .basemap, .package, .publish: return nil
        }
    }

    private func tiles(_ index: Int, _ job: Job, _ work: TileWork, _ perJob: Int) throws(Failure) -> Question {
        if let offer = offers[work.serviceURL], TileFrame.isTooMany(work, offer: offer) {
            throw Failure(phase: .plan, kind: .permanent, message: "there are so many tiles that none was looked at")
        }
        guard let offer = offers[work.serviceURL], let frame = TileFrame(work, offer: offer, strata: max(1, perJob / 6)) else {
            throw Failure(phase: .plan, kind: .internal, message: "the tiles of \(job.id) cannot be listed")
        }
        let isVector = work.service == .vector
        let shares = Sampling.shares(frame.strata.map(\.population), of: perJob)
        let groups = zip(frame.strata, shares).map { stratum, share in
            let picks = Sampling.picks(share, of: stratum.population, seed: "\(job.id) \(stratum.levels[0].level)")
            let probes = picks.compactMap { stratum[$0] }.map { tile in
                Probe(url: Self.url(of: tile, work, offer), storage: isVector ? .compressed : .plain)
            }
            return Group(population: stratum.population, probes: probes, sample: .tiles)
        }
        let indexes = Double(frame.bundles) * Double(Self.bundleBytes(work.request.parameters))
        let least = Double(frame.levels * Self.bundleBytes(work.request.parameters))
        // Descriptions and a thumbnail.
        let documents = Band(low: 3_000, likely: 25_000, high: 120_000)
        return Question(
            job: index, groups: groups, fixed: documents + Band(low: indexes, likely: indexes, high: indexes),
            leastFixed: documents.low + least, isRecompressed: work.request.parameters["compressionQuality"] != nil)
    }

    /// Header and index, and the entry of the archive (formats.md 1.2, 1.3).
    private static func bundleBytes(_ form: [String: String]) -> Int {
        form["storageFormatType"] == "Compact" ? 65_596 + 81_952 + 300 : 64 + 131_072 + 200
    }

    private static func url(of tile: (level: Int, row: Int, column: Int), _ work: TileWork, _ offer: TileOffer) -> String {
        guard work.service == .vector else {
            // Without it the hosts of base maps send a picture that says that there is none.
            return "\(work.serviceURL)/tile/\(tile.level)/\(tile.row)/\(tile.column)?blankTile=false"
        }
        let path = offer.tileTemplate.replacing("{z}", with: String(tile.level)).replacing("{y}", with: String(tile.row))
            .replacing("{x}", with: String(tile.column))
        return path.contains("://") ? path : work.serviceURL + "/" + path.drop { $0 == "/" }
    }

    private func resources(_ list: Result<[String], Failure>?, _ job: Job) throws(Failure) -> Group {
        let urls = try list?.get() ?? []
        let picks = Sampling.picks(Self.resourcesAJob, of: urls.count, seed: job.id)
        return Group(population: urls.count, probes: picks.map { Probe(url: urls[$0], storage: .plain) }, sample: .resources)
    }

    /// Fonts and sprites of vector tile services and styles, each list asked for once.
    private func resourceLists(_ jobs: [Job]) async -> [String: Result<[String], Failure>] {
        let styles = Set(jobs.compactMap { job in if case .style(let work) = job.work { work.styleURL } else { nil } })
        let services = Set(jobs.compactMap { job in if case .vectorTiles(let work) = job.work { work.serviceURL } else { nil } })
        return await concurrently(styles.union(services), limit: limit) { url in
            let result = await Self.result { () throws(ArcGISError) in
                styles.contains(url)
                    ? StyleResources(try await client.vectorStyle(url)).resources.map(\.url)
                    : try await client.vectorTileResources(of: url)
            }
            return result.mapError { Failure(.metadata, $0) }
        }
    }

    // MARK: What follows

    private static func estimate(_ question: Question, _ sizes: [Probe: Result<Int?, ArcGISError>]) throws(Failure)
        -> ByteEstimate
    {
        var strata: [SampledStratum] = []
        var hasHoles = false
        for group in question.groups {
            var found: [Int] = []
            for probe in group.probes {
                do throws(ArcGISError) {
                    let size = try sizes[probe]?.get() ?? nil
                    hasHoles = hasHoles || size == nil
                    found.append(size.map { $0 + (group.sample == .tiles ? 4 : 200) } ?? 0)
                } catch {
                    throw Failure(.metadata, error)
                }
            }
            strata.append(SampledStratum(population: group.population, sizes: found))
        }
        var band = SampledStratum.sum(strata)
        if question.isRecompressed { band.low = 0 }
        var fixed = question.fixed
        if hasHoles { fixed.low = min(fixed.low, question.leastFixed) }
        let tiles = question.groups.filter { $0.sample == .tiles }
        let counted = tiles.isEmpty ? question.groups : tiles
        return ByteEstimate(
            band + fixed, sampled: counted.reduce(0) { $0 + $1.probes.count }, tiles.isEmpty ? .resources : .tiles)
    }

    private static func result<Value>(
        _ body: () async throws(ArcGISError) -> Value
    ) async -> Result<Value, ArcGISError> {
        do throws(ArcGISError) { return .success(try await body()) } catch { return .failure(error) }
    }
}
