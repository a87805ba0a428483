import ArcGIS
import Basics
import Manifest

/// What `inspect` shows: every layer and table of a map with its verdict.
public struct Inspection: Sendable, Hashable {
    public var title: String
    public var layers: [LayerAssessment]
    public var warnings: [WebMapWarning]
    /// By layer id; none without a look at the services.
    public var sizes: [String: SizeHints] = [:]

    /// By the document alone when there is no catalogue.
    public init(
        _ map: WebMap, title: String, catalogue: ServiceCatalogue? = nil, options: AssessmentOptions = AssessmentOptions()
    ) {
        var options = options
        options.isWebScene = map.isWebScene
        self.title = map.title ?? title
        layers = map.layers.map { assess($0, metadata: catalogue?[$0], options: options) }
        warnings = map.warnings
    }

    /// A web map in a file. A web scene is listed too, each layer with the reason why it stays.
    /// - Parameter title: used when the file does not say it: the file's name.
    public static func inspect(file bytes: [UInt8], title: String) throws(WebMapError) -> Inspection {
        Inspection(try WebMap(bytes: bytes, acceptingScenes: true), title: title)
    }

    /// A service with each of its layers, as a map shows them that is made of it.
    public static func inspect(service: ServiceEntry.Source, client: ArcGISClient) async throws(PlanRefusal) -> Inspection {
        let loaded = try await MapLoader(client: client).load(nil, [ServiceEntry(source: service)], name: "")
        // Of a service that does not answer there is nothing to show.
        if let error = loaded.asked.metadata.values.first?.failure {
            throw PlanRefusal(problems: [PlanProblem(failure: Failure(.metadata, error))])
        }
        let title = loaded.map.layers.first.map { $0.groups.first?.title ?? $0.title } ?? ""
        return await inspect(loaded.map, title: title, client: client, options: loaded.assessing, known: loaded.asked)
    }

    /// A web map of the portal, with a look at all its services; or the item of a service.
    public static func inspect(
        item id: String, client: ArcGISClient, options: AssessmentOptions = AssessmentOptions()
    ) async throws -> Inspection {
        let item = try await client.item(id)
        if item.url.flatMap(ServiceAddress.init)?.isOfService == true {
            return try await inspect(service: .item(id), client: client)
        }
        let map = try WebMap(document: try await client.mapData(of: item), acceptingScenes: true)
        var options = options
        options.exportHosts = AssessmentOptions(try? await client.portalSelf()).exportHosts
        return await inspect(map, title: item.title, client: client, options: options, known: ServiceCatalogue())
    }

    private static func inspect(
        _ map: WebMap, title: String, client: ArcGISClient, options: AssessmentOptions, known: ServiceCatalogue
    ) async -> Inspection {
        let catalogue =
            map.isWebScene ? nil : await ServiceCatalogue.read(map, client: client, options: options, known: known)
        var inspection = Inspection(map, title: title, catalogue: catalogue, options: options)
        inspection.title = title
        if let catalogue { inspection.sizes = await SizeHints.read(inspection.layers, catalogue, client: client) }
        return inspection
    }

    /// The form of `inspect --json`.
    public var json: JSON { ["title": .string(title), "layers": .array(layers.map { $0.json(sizes[$0.layer.id]) })] }
}

extension LayerAssessment {
    fileprivate func json(_ size: SizeHints?) -> JSON {
        var object = JSONObject()
        object["id"] = .string(layer.id)
        object["title"] = .string(layer.title)
        object["kind"] = .string(layer.kindName)
        object["url"] = layer.shownURL.map { .string($0) } ?? .null
        object["verdict"] = .string(verdict.rawValue)
        object["rule"] = .string(rule)
        object["reason"] = .string(reason)
        if let size { object["size"] = size.json }
        if !layer.groups.isEmpty { object["group"] = .string(layer.groupTitles.joined(separator: " / ")) }
        return .object(object)
    }
}

extension WebMapLayer {
    /// As written, without a query: print documents carry tokens there.
    public var shownURL: String? {
        (url ?? styleURL).map { String($0.prefix { $0 != "?" }) }
    }
}
