import ArcGIS
import Basics
import Geography
import Manifest

/// Makes a plan of a manifest. Reads metadata only: it starts nothing and downloads nothing (design chapter 1).
///
/// 1. Read the web map, and put the manifest's services into it. 2. Match the manifest's overrides to its layers. 3. Ask every service once. 4. Judge each layer.
/// 5. Resolve the areas. 6. Make the jobs of each area. Every step collects all its problems; any problem refuses the plan.
public struct Planner: Sendable {
    var client: ArcGISClient
    var inspectBasemap: ReferenceBasemap.Inspector
    var memory: MapMemory

    /// - Parameters:
    ///   - inspectBasemap: looks into the file of `referenceBasemap`.
    ///   - memory: of the maps that are out.
    public init(
        client: ArcGISClient, inspectBasemap: @escaping ReferenceBasemap.Inspector,
        memory: MapMemory = MapMemory()
    ) {
        self.client = client
        self.inspectBasemap = inspectBasemap
        self.memory = memory
    }

    /// - Parameters:
    ///   - only: ids of the areas to plan; empty for all.
    ///   - asking: what the services are asked of what will come. A budget asks for what it limits anyway.
    public func plan(
        _ manifest: Manifest, only: Set<String> = [], asking wishes: EstimateWishes = []
    ) async throws(PlanRefusal) -> Plan {
        var loaded = try await MapLoader(client: client, memory: memory).load(manifest)
        if let problem = loaded.offlineDisabled, !manifest.options.ignoreOfflineDisabled {
            throw PlanRefusal(problems: [problem])
        }
        let overrides = OverrideTable(loaded.overrides, layers: loaded.map.layers)
        let unmatched = loaded.problems + overrides.problems
        if !unmatched.isEmpty { throw PlanRefusal(problems: unmatched) }
        let authored = AuthoredSettings(manifest, document: loaded.map.document)
        // A file that is no good stops the plan before any service is asked.
        let found = try await BasemapResolver(
            options: authored.options, document: loaded.map.document, inspect: inspectBasemap)()
        let judged = try await judge(loaded, overrides, authored.options, manifest.onError).with(found.basemap)
        if let problem = judged.nothingOffline { throw PlanRefusal(problems: [problem]) }
        let areas = try await AreaResolver(client: client).areas(manifest.areas, only: only)
        loaded.planned.spatialReference = judged.mapReference
        loaded.planned.itemInfo = manifest.options.itemInfo
        var context = PlanContext(
            name: manifest.name, options: authored.options, scale: manifest.scale, basemap: found.basemap,
            mapReference: judged.mapReference, tileRefresh: manifest.tileRefresh.map(RefreshRule.init) ?? .byStamp,
            itemEdits: judged.itemEdits.times)
        context.onError = manifest.onError
        let (map, planned) = (loaded.planned, context)
        // Projecting, buffering and counting tiles is work for a processor.
        var made = await offPool { Self.jobs(areas, judged, map, planned) }
        made.problems += RequestSize.problems(made.jobs)
        if !made.problems.isEmpty { throw PlanRefusal(problems: made.problems) }
        let estimates = Estimates(
            client: client, sources: judged.sources, wishes: wishes, budget: manifest.budget,
            limit: manifest.limits.connectionsPerHost)
        let problems = await estimates.fill(&made.jobs)
        if !problems.isEmpty { throw PlanRefusal(problems: problems) }
        var plan = Plan(
            name: manifest.name, portal: client.portal.root, map: map, areas: areas, layers: judged.layers, gaps: made.gaps,
            jobs: made.jobs, limits: PlannedLimits(manifest.limits, continueOnErrors: manifest.options.continueOnErrors),
            keep: Retention(manifest.output.keep), onlyAreas: only.sorted(),
            notes: authored.notes + found.notes + (found.basemap?.gaps(areas) ?? []) + judged.lost.map(\.note)
                + judged.itemEdits.notes)
        plan.servers = await client.servers()
        plan.losses.publish = manifest.publish
        plan.losses.unreachable = judged.lost
        plan.losses.unasked = judged.sources.filter { source in
            source.stampingItems.contains { judged.itemEdits.unanswered[$0] != nil }
        }.flatMap(\.layers)
        plan.losses.leaving = judged.layers.map(\.id).filter { !LayerPolicy.staysOnline($0, context.options, map.document) }
        return plan
    }

    private static func jobs(
        _ areas: [PlannedArea], _ judged: JudgedMap, _ map: PlannedMap, _ context: PlanContext
    ) -> (jobs: [Job], gaps: [PlannedGap], problems: [PlanProblem]) {
        var jobs: [Job] = []
        var gaps: [PlannedGap] = []
        var problems: [PlanProblem] = []
        var made: [(area: PlannedArea, parts: [Job])] = []
        for area in areas {
            var maker = AreaJobs(area: area, context: context)
            for source in judged.sources { maker.add(source) }
            problems += maker.problems
            if maker.jobs.isEmpty && maker.problems.isEmpty && !judged.hasDataInMap && !judged.sources.isEmpty {
                let titles = maker.gaps.map(\.layer.title)
                problems.append(
                    PlanProblem(area: area.id, failure: .refusal("the services of the map have nothing in this area", titles)))
            }
            gaps += maker.gaps.map { gap in
                PlannedGap(
                    area: gap.area, layer: gap.layer,
                    staysOnline: LayerPolicy.staysOnline(gap.layer.id, context.options, map.document))
            }
            made.append((area, maker.jobs + (context.basemap.map { [BasemapJobs.job($0, area: area, context: context)] } ?? [])))
        }
        let content = PackageContent(map: map, layers: judged.layers, gaps: gaps)
        for (area, parts) in made { jobs += parts + PackageJobs.jobs(area: area, parts: parts, content: content) }
        return (jobs, gaps, problems)
    }

    private func judge(
        _ loaded: MapLoader.Loaded, _ overrides: OverrideTable, _ options: MapOptions, _ onError: FailurePolicy
    ) async throws(PlanRefusal) -> JudgedMap {
        let map = loaded.map
        var wanted = map
        wanted.layers = map.layers.filter { LayerPolicy.decision($0, overrides[$0], options) == nil }
        let catalogue = await ServiceCatalogue.read(
            wanted, client: client, options: loaded.assessing, known: loaded.asked, readsOnlyWhatSyncs: true)
        var builder = SourceBuilder(client: client, catalogue: catalogue, overrides: overrides, onError: onError)
        var layers: [PlannedLayer] = []
        var problems: [PlanProblem] = []
        var lost: [PlannedLosses.Layer] = []
        for layer in map.layers {
            if let decision = LayerPolicy.decision(layer, overrides[layer], options) {
                layers.append(decision)
                continue
            }
            let assessment = LayerPolicy.assessment(layer, catalogue[layer], overrides[layer], options, loaded.assessing)
            var source: String?
            var unreachable = catalogue[layer]?.failure
            if [.replica, .tiles, .vectorTiles, .style].contains(assessment.verdict) {
                switch await builder.add(assessment) {
                case .source(let slug): source = slug
                case .unreachable(let error): unreachable = error
                case .refused: break
                }
            }
            var planned = LayerPolicy.planned(assessment, source: source, options, map)
            if let unreachable {
                // What could not be asked is no reason to leave its layer out silently (cases F1).
                let origin = loaded.overrides.first { $0.match.id == layer.id }?.origin
                let policy = overrides[layer].onError ?? onError
                let failure = Failure(.metadata, unreachable)
                if policy == .fail {
                    problems.append(PlanProblem(layer: layer.label, origin: origin, failure: failure))
                } else {
                    lost.append(PlannedLosses.Layer(layer: layer.label, onError: policy, failure: failure, origin: origin))
                    builder.reserve(layer)
                }
                let unknown = LayerPolicy.assessment(
                    layer, .unreachable(unreachable), overrides[layer], options, loaded.assessing)
                planned = LayerPolicy.planned(unknown, source: nil, options, map)
            }
            planned.isOfManifest = loaded.added.contains(layer.id)
            planned.schema = LayerSchema(catalogue[layer], number: planned.serviceLayerID)
            layers.append(planned)
        }
        problems += builder.problems + builder.replicaProblems(options)
        // Nothing would be left that a map could be made of.
        if builder.sources.isEmpty {
            problems += lost.map { PlanProblem(layer: $0.layer, origin: $0.origin, failure: $0.failure) }
        }
        if !problems.isEmpty { throw PlanRefusal(problems: problems) }
        return JudgedMap(
            layers: layers, sources: builder.sources, mapReference: Self.reference(of: map, catalogue),
            itemEdits: await itemEdits(builder.sources), lost: lost)
    }

    /// What nobody can tell now counts as it was when the maps that are out were made: a portal that stumbles makes no exports.
    private func itemEdits(_ sources: [MapSource]) async -> ItemEdits {
        var edits = await client.itemEdits(sources.flatMap(\.stampingItems))
        if edits.unanswered.isEmpty { return edits }
        let remembered = await memory.itemEdits()
        for id in edits.unanswered.keys { edits.times[id] = remembered[id] }
        return edits
    }

    /// The map's own; else that of its first base layer (REST reference 9.1), of its first tiled layer, of its first feature layer.
    private static func reference(of map: WebMap, _ catalogue: ServiceCatalogue) -> SpatialReference {
        if let own = SpatialReference(json: map.document["spatialReference"]) { return own }
        let all = map.layers.compactMap { layer in catalogue[layer].map { (isBase: layer.isBasemap, says: $0) } }
        return all.lazy.filter(\.isBase).compactMap(\.says.ofTiles).first ?? all.lazy.compactMap(\.says.ofTiles).first
            ?? all.lazy.compactMap(\.says.ofFeatures).first ?? .webMercator
    }
}

extension ServiceMetadata {
    fileprivate var ofTiles: SpatialReference? {
        switch self {
        case .tiled(let info): info.spatialReference
        case .vectorTile(let info): info.spatialReference
        case .feature, .absent, .unreachable: nil
        }
    }

    fileprivate var ofFeatures: SpatialReference? {
        if case .feature(let service) = self { service.spatialReference } else { nil }
    }
}

/// What becomes of the map's layers, whatever the area.
struct JudgedMap {
    var layers: [PlannedLayer]
    var sources: [MapSource]
    var mapReference: SpatialReference
    /// Of the items behind tiles and styles.
    var itemEdits = ItemEdits()
    var lost: [PlannedLosses.Layer] = []

    /// The file's own layer, and its spatial reference for the whole map.
    func with(_ basemap: ReferenceBasemap?) -> JudgedMap {
        guard let basemap else { return self }
        return JudgedMap(
            layers: [basemap.layer] + layers, sources: sources, mapReference: basemap.spatialReference, itemEdits: itemEdits,
            lost: lost)
    }

    /// Features that travel in the map document itself.
    var hasDataInMap: Bool { layers.contains { $0.rule == LayerRule.dataInMap.rawValue && $0.verdict == .keptInMap } }

    private var hasLocalBasemap: Bool { layers.contains { $0.rule == ReferenceBasemap.rule } }

    /// An "offline map" that needs a network for everything is no success: it would take the place of one that works.
    var nothingOffline: PlanProblem? {
        guard sources.isEmpty && !hasDataInMap && !hasLocalBasemap else { return nil }
        let reasons = layers.map { "\($0.title): \($0.reason)" }
        return PlanProblem(failure: .refusal("nothing of the map can be taken offline", reasons))
    }
}

/// The jobs of one area, but for package and publish.
struct AreaJobs {
    let area: PlannedArea
    let context: PlanContext
    private(set) var jobs: [Job] = []
    private(set) var gaps: [PlannedGap] = []
    private(set) var problems: [PlanProblem] = []

    init(area: PlannedArea, context: PlanContext) {
        self.area = area
        self.context = context
    }

    mutating func add(_ source: MapSource) {
        let first = jobs.count
        defer {
            for index in first..<jobs.count { jobs[index].onError = source.override.onError ?? context.onError }
        }
        do throws(TileJobs.Problem) {
            switch source.content {
            case .replica(let service, let members):
                do throws(GeographyError) {
                    jobs.append(try ReplicaJobs.job(source, service, members, area: area, context: context))
                } catch {
                    throw TileJobs.Problem.geography(error)
                }
            case .tiles(let kind, let info):
                jobs.append(try TileJobs.job(source, kind, info, area: area, context: context))
            case .vectorTiles(let info, let takesTiles, let style):
                if takesTiles { jobs.append(try TileJobs.job(source, info, area: area, context: context)) }
                if let style { jobs.append(StyleJobs.job(source, style, of: info, area: area, context: context)) }
            }
        } catch {
            switch error {
            case .nothingThere: gaps += source.layers.map { PlannedGap(area: area.id, layer: $0) }
            case .refused(let failure): problems.append(PlanProblem(area: area.id, layer: source.layers.first, failure: failure))
            case .geography(let error):
                problems.append(PlanProblem(area: area.id, layer: source.layers.first, failure: Failure(.plan, error)))
            }
        }
    }
}

extension ItemEdits {
    fileprivate var notes: [String] {
        guard let error = unanswered.min(by: { $0.key < $1.key })?.value else { return [] }
        let count = unanswered.count == 1 ? "one item" : "\(unanswered.count) items"
        return [
            "the portal does not say whether \(count) behind tiles and styles changed (\(Failure(.metadata, error).message)); what the maps have of them counts as unchanged tonight"
        ]
    }
}

extension PlannedLosses.Layer {
    fileprivate var note: String {
        let what = onError == .skip ? "the map is made without it" : "its file of the last good map is taken"
        return "\(layer.title): it could not be looked at (\(failure.message)); \(what) (onError: \(onError.rawValue))"
    }
}
