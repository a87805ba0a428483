import ArcGIS
import Manifest

/// What becomes of one layer, and by which rule.
public struct LayerAssessment: Sendable, Hashable {
    public var layer: WebMapLayer
    public var verdict: Verdict
    /// The raw value of a `LayerRule`.
    public var rule: String
    /// One sentence for people.
    public var reason: String
    /// The service to fetch from: normalised, and the exporting twin where a base map has one. nil when nothing is fetched.
    public var serviceURL: String?
    /// The layer's number in its service; for replicas.
    public var layerID: Int?
    /// Which kind of service exports the tiles.
    public var exportService: ExportService?
    /// The replica will be registered on the server, asked for or not.
    public var registersReplica = false

    init(_ layer: WebMapLayer, _ verdict: Verdict, _ rule: LayerRule, _ reason: String) {
        self.layer = layer
        self.verdict = verdict
        self.rule = rule.rawValue
        self.reason = reason
    }

    public var layerRule: LayerRule? { LayerRule(rawValue: rule) }
}

/// What a service said of itself when it was asked for a layer.
public enum ServiceMetadata: Sendable, Hashable {
    case feature(FeatureServiceInfo)
    /// A map or image service.
    case tiled(TiledServiceInfo)
    case vectorTile(VectorTileServiceInfo)
    /// Everybody who had to be asked has answered, and there is no service.
    case absent(AbsentService)
    /// It could not be asked, and so nothing is known about it.
    case unreachable(ArcGISError)

    var failure: ArcGISError? { if case .unreachable(let error) = self { error } else { nil } }
}

/// Why a layer that an item or a style names has no service.
public enum AbsentService: Sendable, Hashable {
    /// The item is of this type, which has none.
    case item(type: String)
    /// The portal has no such item, or none that it shows to us.
    case itemMissing
    /// The style's tiles are not ArcGIS's.
    case foreignStyle
}

public struct AssessmentOptions: Sendable, Hashable {
    /// Replicas stay registered for later synchronisation (`updateMode: syncWithFeatureServices`).
    public var registersReplicas: Bool
    /// Of the portal; without a portal, the published ones.
    public var exportHosts: [ExportHost]
    /// The document is a web scene: its layers are listed and not taken.
    public var isWebScene: Bool

    public init(registersReplicas: Bool = false, exportHosts: [ExportHost] = ExportHost.published, isWebScene: Bool = false) {
        self.registersReplicas = registersReplicas
        self.exportHosts = exportHosts
        self.isWebScene = isWebScene
    }
}

extension AssessmentOptions {
    /// Which base maps have an exporting twin is the portal's to say; without its word, what is published stands.
    init(_ portal: PortalSelf?) { self.init(exportHosts: portal?.exportHosts ?? ExportHost.published) }

    /// For one layer. With an account of them, even if only until the download, replicas need what registered ones need.
    func of(_ options: MapOptions, _ entry: OverrideTable.Entry) -> AssessmentOptions {
        var own = self
        own.registersReplicas =
            options.updateMode == .syncWithFeatureServices
            || [.layer, .geodatabase].contains(entry.syncModel ?? options.syncModel)
        return own
    }
}

/// Decides by the document alone when `metadata` is nil, else by what the service says (REST reference 9.3, 10.1, 10.7). Pure.
public func assess(
    _ layer: WebMapLayer, metadata: ServiceMetadata?, options: AssessmentOptions = AssessmentOptions()
) -> LayerAssessment {
    let assessor = LayerAssessor(layer: layer, options: options)
    let byDocument = assessor.byDocument()
    guard let metadata, assessor.dependsOnService(byDocument) else { return byDocument }
    switch metadata {
    case .feature(let service): return assessor.byFeatureService(service)
    case .tiled(let service): return assessor.byTiledService(service)
    case .vectorTile(let service): return assessor.byVectorTileService(service)
    case .absent(let reason): return assessor.without(reason)
    case .unreachable(let error): return assessor.unreachable(error)
    }
}
