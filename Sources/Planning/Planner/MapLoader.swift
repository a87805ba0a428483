import ArcGIS
import Basics
import Manifest

/// The map of a manifest: its web map from the portal or from a file, with the layers of `services:` in it; without a web map one
/// that is made of those.
struct MapLoader {
    var client: ArcGISClient
    var memory = MapMemory()

    struct Loaded {
        var map: WebMap
        var planned: PlannedMap
        /// nil: it did not say, or need not.
        var portal: PortalSelf?
        /// What `services:` say of their layers, then `layers:`, which so have the last word.
        var overrides: [LayerOverride] = []
        /// Layers that `services:` name and no service has.
        var problems: [PlanProblem] = []
        /// The services of `services:`.
        var asked = ServiceCatalogue()
        /// Ids of the layers that `services:` has put into the map.
        var added: Set<String> = []

        var assessing: AssessmentOptions { AssessmentOptions(portal) }

        /// nil for a map without an item: nobody has said anything.
        var item: PortalItem? { planned.item.object == nil ? nil : PortalItem(planned.item) }

        /// The author's word against it (REST reference 9.7).
        var offlineDisabled: PlanProblem? {
            guard let item, item.isOfflineDisabled else { return nil }
            return PlanProblem(
                failure: .refusal(
                    "the map's author has switched off offline use (OfflineDisabled)",
                    [item.title, "options: { ignoreOfflineDisabled: true } takes it all the same"]))
        }
    }

    func load(_ manifest: Manifest) async throws(PlanRefusal) -> Loaded {
        var loaded = try await load(manifest.webMap, manifest.services, name: manifest.name)
        loaded.overrides += manifest.layers
        return loaded
    }

    /// - Parameter name: of a map that is made of services alone.
    func load(_ webMap: WebMapSource?, _ services: [ServiceEntry], name: String) async throws(PlanRefusal) -> Loaded {
        var loaded: Loaded
        switch webMap {
        case .item(let id)?: loaded = try await item(id)
        case .file(let path)?: loaded = try file(path)
        case nil: loaded = try empty(name)
        }
        // Export twins are for base maps of other hosts; who has none need not ask for them.
        if !isAllAtHome(loaded.map, services) { loaded.portal = try? await client.portalSelf() }
        if !services.isEmpty { try await add(services, to: &loaded) }
        return loaded
    }

    private func isAllAtHome(_ map: WebMap, _ services: [ServiceEntry]) -> Bool {
        map.layers.allSatisfy { layer in layer.shownURL.map { client.isHome($0) } ?? (layer.itemID == nil) }
            && services.allSatisfy { if case .url(let url) = $0.source { client.isHome(url) } else { false } }
    }

    private func add(_ entries: [ServiceEntry], to loaded: inout Loaded) async throws(PlanRefusal) {
        var services = try await ServiceResolver(client: client).resolve(entries)
        var added = ServiceLayers(besides: loaded.map)
        let whole = try read { () throws(WebMapError) in
            try WebMap(document: ["operationalLayers": .array(services.indices.map { services[$0].whole(id: String($0)) })])
        }
        var wanted = whole
        wanted.layers = zip(services, whole.layers).filter { !$0.0.entry.settings.exclude && $0.0.failure == nil }.map(\.1)
        loaded.asked = await ServiceCatalogue.read(wanted, client: client, options: loaded.assessing)
        for (index, layer) in whole.layers.enumerated() {
            if let error = loaded.asked[layer]?.failure { services[index].failure = error }
        }
        let known = services.contains { $0.failure != nil } ? await memory.services() : []
        for (var service, layer) in zip(services, whole.layers) {
            var outline = loaded.asked[layer].flatMap(ServiceOutline.init)
            if let failure = service.failure {
                let remembered = known.first { $0.name == service.entry.source.name }
                service.recall(remembered)
                outline = remembered?.outline
                for id in added.add(service, outline) { loaded.asked.lose(id, failure) }
            } else {
                added.add(service, outline)
            }
            if let outline, let remembered = service.remembered(outline) { loaded.planned.services.append(remembered) }
        }
        let document = added.put(into: loaded.map.document)
        let own = loaded.map.layers.map(\.id)
        loaded.map = try read { () throws(WebMapError) in try WebMap(document: document) }
        loaded.added = Set(loaded.map.layers.map(\.id)).subtracting(own)
        loaded.planned.document = loaded.map.document
        loaded.overrides = added.overrides
        loaded.problems = added.problems
    }

    private func empty(_ name: String) throws(PlanRefusal) -> Loaded {
        let document: JSON = [
            "baseMap": ["title": "Basemap", "baseMapLayers": []], "operationalLayers": [], "version": "2.31",
            "authoringApp": "offline-batch",
        ]
        var planned = PlannedMap(itemID: nil, title: name, document: document, item: .null, thumbnailURL: nil)
        planned.isMadeOfServices = true
        return Loaded(map: try read { () throws(WebMapError) in try WebMap(document: document) }, planned: planned)
    }

    private func item(_ id: String) async throws(PlanRefusal) -> Loaded {
        let item: PortalItem
        let document: JSON
        do throws(ArcGISError) {
            item = try await client.item(id)
            document = try await client.mapData(of: item)
        } catch {
            throw PlanRefusal(problems: [PlanProblem(failure: Failure(.metadata, error).naming("web map \(id)"))])
        }
        let map = try read { () throws(WebMapError) in
            // A scene's item says so, whatever its document looks like.
            if item.isWebScene { throw .webScene }
            return try WebMap(document: document)
        }
        return Loaded(
            map: map,
            planned: PlannedMap(
                itemID: id, title: item.title, document: map.document, item: item.raw.withoutUsage,
                thumbnailURL: client.thumbnailURL(of: item)
            ))
    }

    private func file(_ path: String) throws(PlanRefusal) -> Loaded {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.read(path, limit: 256 << 20, takesPipes: true)
        } catch {
            throw PlanRefusal(problems: [PlanProblem(failure: .refusal("\(path): \(error.message)"))])
        }
        let map = try read { () throws(WebMapError) in try WebMap(bytes: bytes) }
        let name = Paths.name(path).split(separator: ".").first.map(String.init) ?? "map"
        return Loaded(
            map: map,
            planned: PlannedMap(itemID: nil, title: map.title ?? name, document: map.document, item: map.item, thumbnailURL: nil))
    }

    private func read(_ body: () throws(WebMapError) -> WebMap) throws(PlanRefusal) -> WebMap {
        do throws(WebMapError) {
            return try body()
        } catch {
            throw PlanRefusal(problems: [PlanProblem(failure: .refusal(error.reason))])
        }
    }
}

extension WebMapError {
    /// One sentence for people.
    public var reason: String {
        switch self {
        case .notJSON(let reason): "the web map is not JSON: \(reason)"
        case .webScene: "the item is a web scene; only web maps can be taken offline"
        case .item(let id, let type): "this is the description of item \(id) (\(type)), not the data of a web map"
        case .notAWebMap(let members):
            "the document is not a web map; it has " + (members.isEmpty ? "no members" : members.joined(separator: ", "))
        }
    }
}

extension Failure {
    func naming(_ subject: String) -> Failure {
        var copy = self
        copy.details.insert(subject, at: 0)
        return copy
    }
}
