import ArcGIS
import Basics
import Manifest

/// The web map of a manifest: from the portal or from a file.
struct MapLoader {
    var client: ArcGISClient

    struct Loaded {
        var map: WebMap
        var planned: PlannedMap

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

    func load(_ source: WebMapSource) async throws(PlanRefusal) -> Loaded {
        switch source {
        case .item(let id): try await item(id)
        case .file(let path): try file(path)
        }
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
                itemID: id, title: item.title, document: map.document, item: item.raw, thumbnailURL: client.thumbnailURL(of: item)
            ))
    }

    private func file(_ path: String) throws(PlanRefusal) -> Loaded {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.read(path)
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
