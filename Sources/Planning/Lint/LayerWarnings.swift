import ArcGIS
import Basics

/// A rule that a layer breaks, with one sentence for people.
struct LayerWarning: Equatable {
    var rule: WarningRule
    var reason: String

    init(_ rule: WarningRule, _ reason: String) {
        self.rule = rule
        self.reason = reason
    }
}

/// The checks of REST reference 10.7 that do not change the verdict. Pure.
enum LayerWarnings {
    // MARK: - Feature layers and tables

    /// - Parameter version: of the service; since 11.5 replicas hold the newer field types.
    static func of(_ info: LayerInfo, version: Double? = nil) -> [LayerWarning] {
        let types = (version ?? 0) >= 11.5 ? [] : newTypes(info)
        let long = info.fields.filter { $0.name.count > 31 }
        let keywords = info.fields.filter { Self.keywords.contains($0.name.lowercased()) }
        let indexes = (info.raw["indexes"]?.array ?? []).compactMap { $0["name"]?.string }.filter {
            $0.contains("+") || $0.contains("-")
        }
        let fields = Set(info.fields.map { $0.name.lowercased() })
        // A summary has no fields: nothing can be said about keys then.
        let keys = (info.relationships.compactMap(\.keyField) + [info.raw["subtypeField"]?.string ?? ""]).filter {
            !$0.isEmpty && !fields.isEmpty && !fields.contains($0.lowercased())
        }
        return [
            warning(
                .fieldType, types, "of a type that replicas of older servers cannot hold"),
            warning(.longFieldName, long.map(\.name), "longer than 31 characters"),
            warning(.fieldKeyword, keywords.map(\.name), "named like a word of SQL"),
            warning(.indexName, indexes, "with + or - in the name", noun: "Indexes"),
            warning(.missingKeyField, keys, "used by a relationship or as subtype, and not a field of the layer"),
            trueCurves(info.raw),
        ].compactMap { $0 }
    }

    /// "NAME (Type)"; object ids of 64 bits count as one.
    private static func newTypes(_ info: LayerInfo) -> [String] {
        (info.raw["fields"]?.array ?? []).compactMap { field in
            guard let name = field["name"]?.string, let type = field["type"]?.string else { return nil }
            if unsupportedTypes.contains(type) { return "\(name) (\(type.replacing("esriFieldType", with: "")))" }
            return type == "esriFieldTypeOID" && field["length"]?.int == 8 ? "\(name) (OID of 64 bits)" : nil
        }
    }

    /// Services say one or the other: curves may be updated by all clients, or by those only that know curves.
    private static func trueCurves(_ layer: JSON) -> LayerWarning? {
        guard let allowed = layer["allowTrueCurvesUpdates"]?.bool,
            let onlyByCurveClients = layer["onlyAllowTrueCurveUpdatesByTrueCurveClients"]?.bool, allowed == onlyByCurveClients
        else { return nil }
        return LayerWarning(
            .trueCurves,
            "allowTrueCurvesUpdates and onlyAllowTrueCurveUpdatesByTrueCurveClients are both \(allowed): "
                + "edits that are made offline may be refused.")
    }

    /// Kept in the map here; Esri's own checks refuse maps with them.
    static func ofCollection(_ layer: WebMapLayer) -> LayerWarning? {
        guard let type = layer.raw["featureCollectionType"]?.string, ["notes", "route"].contains(type.lowercased()) else {
            return nil
        }
        return LayerWarning(.notesAndRoutes, "Apps of Esri may refuse the map for its \(type) layer.")
    }

    private static func warning(
        _ rule: WarningRule, _ names: [String], _ words: String, noun: String = "Fields"
    ) -> LayerWarning? {
        if names.isEmpty { return nil }
        let rest = names.count > 10 ? " and \(names.count - 10) more" : ""
        return LayerWarning(rule, "\(noun) \(words): " + names.prefix(10).joined(separator: ", ") + rest + ".")
    }

    private static let unsupportedTypes: Set<String> = [
        "esriFieldTypeBigInteger", "esriFieldTypeDateOnly", "esriFieldTypeTimeOnly", "esriFieldTypeTimestampOffset",
    ]

    /// Words that SQLite takes as names only in quotes, and two that other databases reserve.
    static let keywords: Set<String> = [
        "add", "all", "alter", "and", "as", "autoincrement", "between", "case", "check", "collate", "column", "commit",
        "constraint", "create", "default", "deferrable", "delete", "distinct", "drop", "else", "escape", "except", "exists",
        "foreign", "from", "group", "having", "if", "in", "index", "insert", "intersect", "into", "is", "isnull", "join", "limit",
        "not", "notnull", "null", "on", "or", "order", "primary", "references", "select", "set", "table", "then", "to",
        "transaction", "union", "unique", "update", "using", "values", "when", "where",
    ]

    // MARK: - Tiles and styles

    /// - Parameter url: as the map has it, or that of its exporting twin.
    static func ofBasemap(_ url: String) -> LayerWarning? {
        guard let address = ServiceAddress(url), let host = Origin(url: address.service)?.host, basemapHosts.contains(host)
        else { return nil }
        let path = address.service.lowercased()
        guard let name = deprecatedBasemaps.first(where: { path.hasSuffix("/services/\($0.lowercased())/mapserver") }) else {
            return nil
        }
        return LayerWarning(.deprecatedBasemap, "Esri has declared the export of \(name) deprecated.")
    }

    private static let basemapHosts: Set<String> = [
        "services.arcgisonline.com", "server.arcgisonline.com", "tiledbasemaps.arcgis.com", "ibasemaps-api.arcgis.com",
    ]
    /// Most of Esri's list but imagery, hillshade and the ocean base (REST reference 8).
    private static let deprecatedBasemaps = [
        "NatGeo_World_Map", "USA_Topo_Maps", "World_Street_Map", "World_Terrain_Base", "World_Topo_Map",
        "Canvas/World_Light_Gray_Base", "Canvas/World_Light_Gray_Reference", "Canvas/World_Dark_Gray_Base",
        "Canvas/World_Dark_Gray_Reference", "Ocean/World_Ocean_Reference", "Reference/World_Boundaries_and_Places",
        "Reference/World_Reference_Overlay", "Reference/World_Transportation",
    ]

    /// The export hosts take accounts of ArcGIS Online, which the sign-in to another portal is not.
    /// - Parameter service: whose tiles are exported.
    static func ofCredentials(_ service: String?, exportHosts: [ExportHost], isEnterprise: Bool, servers: [String])
        -> LayerWarning?
    {
        guard isEnterprise, let service, let origin = Origin(url: service),
            exportHosts.contains(where: { $0.export.host == origin.host }),
            !servers.contains(where: { Origin(url: $0)?.host == origin.host })
        else { return nil }
        return LayerWarning(
            .storedCredentials,
            "Its tiles come from \(origin.host), which knows accounts of ArcGIS Online only, and this portal is another.")
    }

    static func of(_ style: VectorStyle) -> LayerWarning? {
        let names = style.document["sources"]?.object?.keys.map { String($0) } ?? []
        if names.count < 2 { return nil }
        return LayerWarning(
            .severalSources,
            "Its style draws \(names.count) sources, and an offline layer has one: "
                + names.prefix(10).joined(separator: ", ") + ".")
    }

    // MARK: - The map

    static func of(_ item: PortalItem) -> LayerWarning? {
        if item.isOfflineDisabled {
            return LayerWarning(.offlineDisabled, "The map's author has switched off offline use (OfflineDisabled).")
        }
        if item.typeKeywords.contains("Offline") { return nil }
        return LayerWarning(.offlineUnchecked, "The item has no keyword Offline: Esri's tools have not found the map fit for it.")
    }

    /// By layer id: each layer whose address an earlier one has. Filters and scales differ often on purpose, so it is a warning.
    static func ofAddresses(_ layers: [WebMapLayer]) -> [String: LayerWarning] {
        var first: [String: WebMapLayer] = [:]
        var warnings: [String: LayerWarning] = [:]
        for layer in layers {
            guard let address = layer.address, address.type != nil else { continue }
            // Maps mix http and https.
            let place = String(address.layerURL.drop { $0 != "/" }).lowercased()
            if let other = first[place] {
                warnings[layer.id] = LayerWarning(.sharedURL, "It has the same URL as the layer \(other.title) (\(other.id)).")
            } else {
                first[place] = layer
            }
        }
        return warnings
    }
}
