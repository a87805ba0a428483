import Basics
import Geography

/// A feature service with all its layers and tables, read leniently (REST reference 3.1).
public struct FeatureServiceInfo: Sendable, Hashable {
    /// Without trailing slash or query.
    public var url: String
    public var currentVersion: Double?
    public var capabilities: ServiceCapabilities
    /// As the service says; believe `canSync` instead.
    public var syncEnabled: Bool
    public var syncCapabilities: SyncCapabilities
    public var spatialReference: SpatialReference?
    public var fullExtent: ServiceExtent?
    public var maxRecordCount: Int?
    /// Of layers whose changes the service tracks, by number (REST reference 3.1).
    public var serverGenerations: [Int: Int]
    /// In the order of the service; ids may start anywhere and have gaps (cases B13).
    public var layers: [LayerInfo]
    public var tables: [LayerInfo]
    /// The root document.
    public var raw: JSON

    /// - Parameter details: full layer documents by id, where they were read; the root holds summaries only.
    public init(url: String, root: JSON, details: [Int: JSON] = [:]) {
        self.url = url
        currentVersion = root["currentVersion"]?.double
        capabilities = ServiceCapabilities(root["capabilities"])
        syncEnabled = root["syncEnabled"]?.bool ?? false
        syncCapabilities = SyncCapabilities(root["syncCapabilities"])
        fullExtent = ServiceExtent(json: root["fullExtent"]) ?? ServiceExtent(json: root["initialExtent"])
        spatialReference = SpatialReference(json: root["spatialReference"]) ?? fullExtent?.spatialReference
        maxRecordCount = root["maxRecordCount"]?.int
        let generations = root["changeTrackingInfo"]?["layerServerGens"]?.array ?? []
        serverGenerations = generations.reduce(into: [:]) { result, entry in
            if let id = entry["id"]?.int { result[id] = entry["serverGen"]?.int }
        }
        raw = root
        let service = (capabilities, spatialReference)
        func infos(_ member: String, isTable: Bool) -> [LayerInfo] {
            (root[member]?.array ?? []).compactMap { summary in
                guard let id = summary["id"]?.int else { return nil }
                return LayerInfo(
                    details[id] ?? summary, isTable: isTable, isSummary: details[id] == nil, serviceCapabilities: service.0,
                    serviceSpatialReference: service.1)
            }
        }
        layers = infos("layers", isTable: false)
        tables = infos("tables", isTable: true)
    }

    /// `capabilities` decides; older services lack `syncEnabled` (REST reference 3.1). A service without the first member is
    /// judged by the second.
    public var canSync: Bool { capabilities.isEmpty ? syncEnabled : capabilities.canSync }

    /// `syncModel=none` is accepted: a copy that the server does not keep account of.
    public var canCopyWithoutRegistering: Bool {
        if canSync { return syncCapabilities.supportsSyncModelNone }
        return capabilities.canExtract && (syncCapabilities.supportsSyncModelNone || exportFormats.contains("sqlite"))
    }

    /// Of `supportedExportFormats`, lower case.
    public var exportFormats: [String] {
        (raw["supportedExportFormats"]?.string ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
    }

    /// A layer or table by its number.
    public func layer(_ id: Int) -> LayerInfo? { layers.first { $0.id == id } ?? tables.first { $0.id == id } }
}
