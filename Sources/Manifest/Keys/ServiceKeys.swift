/// Services that are taken without a web map, or beside one.
enum ServiceKeys {
    static let service = ObjectShape(
        keys: [
            Key(
                name: "url", shape: .text(.serviceURL),
                meaning:
                    "The service's address: that of a FeatureServer or of one of its layers, of a MapServer, an ImageServer or a "
                    + "VectorTileServer.",
                example: "https://maps.example.com/server/rest/services/Water/FeatureServer"),
            Key(
                name: "itemId", shape: .text(.itemID),
                meaning: "The portal item of the service: a feature, map, image or vector tile service.",
                example: "3f1b0c8d5e2a4f7698c7d6e5b4a39281"),
            Key(
                name: "title", shape: .text(.any), meaning: "How the layer is called in the map, or the group of several layers.",
                standardInWords: "the item's title, else the name of the layer or service", example: "Water network"),
            Key(
                name: "layers", shape: .list(.object(layer), itemWords: "layers"),
                meaning:
                    "Feature services: the layers and tables to take, and what is different for them. A list in which all are excluded "
                    + "takes all others.",
                standardInWords: "all layers and tables", example: "[{ id: 0, where: FLOW >= 500 }, { id: 5 }]"),
        ] + LayerKeys.settings,
        rules: [.exactlyOne(["url", "itemId"])] + LayerKeys.rules)

    /// What one service has for all its layers stands beside `layers`, not in it.
    static let layer = ObjectShape(
        keys: [
            Key(
                name: "id", shape: .integer(minimum: 0), isRequired: true,
                meaning: "The number of the layer or table in the service.",
                example: "0"),
            Key(
                name: "title", shape: .text(.any), meaning: "How it is called in the map.",
                standardInWords: "its name in the service",
                example: "Hydrants"),
        ] + LayerKeys.settings.filter { ofOneLayer.contains($0.name) },
        rules: LayerKeys.rules.filter { if case .notTogether("exclude", _, _) = $0 { true } else { false } })

    private static let ofOneLayer: Set<String> = [
        "exclude", "online", "where", "useGeometry", "queryOption", "includeRelated", "attachments", "onError",
    ]

    /// The settings that make sense for one kind of service, by the end of its address. `buffer`, `exclude` and `online` are for all.
    static func settings(ofKind kind: String) -> Set<String> {
        switch kind {
        case "FeatureServer":
            [
                "layers", "where", "useGeometry", "queryOption", "includeRelated", "attachments", "syncModel",
                "outSpatialReference", "refresh", "onError",
            ]
        case "VectorTileServer": ["levelIDs", "maxLevel", "vectorTiles", "refresh", "onError"]
        default: ["levelIDs", "compressionQuality", "refresh", "onError"]
        }
    }
}
