/// Overrides of single layers.
enum LayerKeys {
    static let layer = ObjectShape(
        keys: [
            Key(
                name: "match", shape: .object(match), isRequired: true,
                meaning: "Which layers are meant: every key given here must agree.", example: "{ title: Hydrant }")
        ] + settings,
        rules: [
            .atLeast(
                2, otherwise: "this override changes nothing",
                hint: "give one of " + settings.map { "`\($0.name)`" }.joined(separator: ", "))
        ] + rules)

    /// What can be said about a layer, in an entry of `layers` and in one of `services`.
    static let settings = [
        Key(
            name: "exclude", shape: .flag, meaning: "Leaves the layer out of the offline map.", standard: false,
            example: "true"),
        Key(
            name: "online", shape: .flag,
            meaning: "Keeps the layer in the map as an online layer: nothing is fetched for it, whatever "
                + "`onlineOnlyServicesOption` says.",
            standard: false, example: "true"),
        Key(
            name: "levelIDs", shape: .levelIDs,
            meaning: "Tile layers: exactly these levels, whatever `scale` says.", standardInWords: "from `scale`",
            example: "12-17"),
        Key(
            name: "buffer", shape: .length, meaning: "Widens the area for this layer, by a length on the ground.",
            standardInWords: "the area as it is", example: "200 m"),
        Key(
            name: "where", shape: .text(.any),
            meaning:
                "Feature layers and tables: only these rows (SQL, sent as it is). The layer's own definition expression still holds.",
            standardInWords: "every row", example: "FLOW >= 500"),
        Key(
            name: "useGeometry", shape: .flag,
            meaning: "`false`: rows are not limited to the area; so rows without geometry are taken, too.", standard: true,
            example: "false"),
        Key(
            name: "queryOption", shape: .choice(LayerOverride.QueryOption.allCases.map(\.rawValue)),
            meaning:
                "Feature layers and tables: `useFilter` takes the rows that pass the clauses and the area, `all` every row of the "
                + "service, `none` no row of its own. It wins over `destinationTableRowFilter` and "
                + "`returnSchemaOnlyForEditableLayers`.",
            standardInWords: "as `options` say", example: "all"),
        Key(
            name: "includeRelated", shape: .flag,
            meaning: "With `queryOption: none`: takes the rows that belong to rows taken of other layers.", standard: false,
            example: "true"),
        Key(
            name: "attachments", shape: .flag,
            meaning:
                "Feature layers and tables: whether attachments come. All layers of one service share one switch, so layers that "
                + "disagree refuse the plan.",
            standardInWords: "as `returnLayerAttachmentOption` says", example: "false"),
        Key(
            name: "compressionQuality", shape: .integer(minimum: 0, maximum: 100),
            meaning:
                "Image tiles: the server compresses them again with this quality, which loses detail. PNG stays as it is.",
            standardInWords: "the tiles as they are", example: "60"),
        Key(
            name: "maxLevel", shape: .integer(minimum: 0, maximum: Quantities.maximumLevel),
            meaning: "Vector tiles: all levels up to this one, whatever `scale` says.", standardInWords: "from `scale`",
            example: "14"),
        Key(
            name: "vectorTiles", shape: .choice(LayerOverride.VectorTileParts.allCases.map(\.rawValue)),
            meaning:
                "Vector tiles: `tiles` takes the package with the style of its service in it, `tilesAndStyle` also the style that "
                + "the item has of its own, `style` that style alone, for tiles that another layer brings.",
            standardInWords: "`tilesAndStyle` where the layer has a style of its own, else `tiles`", example: "tiles"),
        Key(
            name: "syncModel", shape: .choice(MapOptions.SyncModel.allCases.map(\.rawValue)),
            meaning:
                "Feature services: how the server keeps account of this replica, as in `options`. All layers of a service share "
                + "one replica, so layers that disagree refuse the plan.",
            standardInWords: "as `options` say", example: "geodatabase"),
        Key(
            name: "outSpatialReference", shape: .integer(minimum: 1),
            meaning: "Feature services: the coordinate system that the rows come in, by its id. One for all layers of a service.",
            standardInWords: "as `options` say", example: "25832"),
        RefreshKeys.ofLayer,
        FailureKeys.ofLayer,
    ]

    static let rules: [ObjectShape.Rule] = [
        .notTogether("exclude", "online", why: "a layer is left out or kept online"),
        .notTogether("levelIDs", "maxLevel", why: "`levelIDs` says which is the last level, too"),
    ]

    static let match = ObjectShape(
        keys: [
            Key(name: "title", shape: .text(.any), meaning: "The layer's title in the map.", example: "World Street Map"),
            Key(name: "id", shape: .text(.any), meaning: "The layer's id in the web map.", example: "\"VectorTile_2333\""),
            Key(
                name: "url", shape: .text(.url), meaning: "The layer's address.",
                example: "https://maps.example.com/server/rest/services/Water/FeatureServer/0"),
            Key(
                name: "itemId", shape: .text(.itemID), meaning: "The portal item that the layer comes from.",
                example: "acc027394bc84c2fb04d1ed317aac674"),
        ],
        rules: [
            .atLeast(
                1, otherwise: "nothing is said about which layer is meant", hint: "give one of `title`, `id`, `url`, `itemId`")
        ])
}
