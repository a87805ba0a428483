import Basics

/// Map-wide options; their defaults are those of `MapOptions`.
enum OptionKeys {
    private static let defaults = MapOptions()

    static let options = ObjectShape(keys: [
        Key(
            name: "includeBasemap", shape: .flag, meaning: "Takes the base map, too.", standard: .bool(defaults.includeBasemap),
            example: "false"),
        Key(
            name: "referenceBasemap", shape: .text(.any),
            meaning:
                "A local file in the place of the map's base map: .tpkx, .tpk, .vtpk, or .mbtiles with PNG or JPEG tiles. A folder: the file in "
                + "it that the map names as its offline base map.",
            standardInWords: "none: the base map is taken from its services", example: "basemaps/town.tpkx"),
        choice(
            "returnLayerAttachmentOption", MapOptions.ReturnLayerAttachmentOption.self, defaults.returnLayerAttachmentOption,
            meaning: "Which layers bring their attachments.", example: "editableLayers"),
        choice(
            "attachmentSyncDirection", MapOptions.AttachmentSyncDirection.self, defaults.attachmentSyncDirection,
            meaning: "Which way attachments go when the replica is synchronised later.", example: "upload"),
        Key(
            name: "returnSchemaOnlyForEditableLayers", shape: .flag, meaning: "Editable layers come without rows.",
            standard: .bool(defaults.returnSchemaOnlyForEditableLayers), example: "true"),
        Key(
            name: "isDefinitionExpressionFilterEnabled", shape: .flag,
            meaning: "Rows are limited by the definition expression that a layer has in the map.",
            standard: .bool(defaults.isDefinitionExpressionFilterEnabled), example: "false"),
        Key(
            name: "continueOnErrors", shape: .flag,
            meaning:
                "Whether the other layers of an area are still fetched when one has failed. `false`: the first layer that fails its "
                + "area (`onError: fail`) ends it. Whether a map is published is up to `onError` and `publish`.",
            standard: .bool(defaults.continueOnErrors), example: "false"),
        choice(
            "destinationTableRowFilter", MapOptions.DestinationTableRowFilter.self, defaults.destinationTableRowFilter,
            meaning: "Related tables: all rows, or only those that belong to features taken.", example: "all"),
        choice(
            "onlineOnlyServicesOption", MapOptions.OnlineOnlyServicesOption.self, defaults.onlineOnlyServicesOption,
            meaning: "Layers that cannot go offline: left out, kept as online layers, or as the map's author has set.",
            example: "exclude"),
        choice(
            "updateMode", MapOptions.UpdateMode.self, defaults.updateMode,
            meaning:
                "`noUpdates` registers no replica at the server; `syncWithFeatureServices` does, so that edits can be synchronised.",
            example: "syncWithFeatureServices"),
        Key(
            name: "syncModel", shape: .choice(MapOptions.SyncModel.allCases.map(\.rawValue)),
            meaning:
                "How the server keeps account of replicas: `layer` by layer, `geodatabase` as one, `none` not at all (not with "
                + "`updateMode: syncWithFeatureServices`). A service that cannot do it refuses the plan. With `noUpdates` the replica is "
                + "unregistered after the download.",
            standardInWords: "`none` with `noUpdates` where the service can, else `layer`, else `geodatabase`", example: "layer"),
        Key(
            name: "outSpatialReference", shape: .integer(minimum: 1),
            meaning:
                "The coordinate system that features come in, by its id at EPSG or Esri. Tiles stay in that of their service.",
            standardInWords: "that of the map", example: "4326"),
        Key(
            name: "syncDataOptions", shape: .integer(minimum: 0),
            meaning:
                "What replicas bring beside the rows, as createReplica's number of that name: a bit each for annotation, contingent "
                + "values and so on. Bits that a service does not list in `supportedSyncDataOptions` are left out.",
            standardInWords: "as the map's author has set, else nothing", example: "144"),
        Key(
            name: "ignoreOfflineDisabled", shape: .flag,
            meaning:
                "Takes the map although its author has switched offline use off (the keyword `OfflineDisabled` of its item).",
            standard: .bool(defaults.ignoreOfflineDisabled), example: "true"),
        Key(
            name: "itemInfo", shape: .object(itemInfo), meaning: "What the offline map says of itself.",
            standardInWords: "what the portal item says", example: "{ title: Water by night, tags: [water, night] }"),
    ])

    static let itemInfo = ObjectShape(
        keys: [
            Key(
                name: "title", shape: .text(.any), meaning: "The title; the id of the area is put behind it.",
                standardInWords: "the item's", example: "Water by night"),
            Key(
                name: "snippet", shape: .text(.any), meaning: "A line about the map.", standardInWords: "the item's",
                example: "Hydrants and mains"),
            Key(
                name: "tags", shape: .list(.text(.any), itemWords: "words"), meaning: "Words to find it by.",
                standardInWords: "the item's", example: "[water, night]"),
            Key(
                name: "description", shape: .text(.any), meaning: "A text about the map; it may be HTML.",
                standardInWords: "the item's", example: "Made every night."),
            Key(
                name: "thumbnail", shape: .text(.any), meaning: "The path of its picture, a PNG, JPEG or GIF.",
                standardInWords: "the item's", example: "pictures/water.png"),
        ],
        rules: [
            .atLeast(
                1, otherwise: "`itemInfo` says nothing",
                hint: "give one of `title`, `snippet`, `tags`, `description`, `thumbnail`")
        ])

    private static func choice<Option: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Option.Type, _ standard: Option, meaning: String, example: String
    ) -> Key where Option.RawValue == String {
        Key(
            name: name, shape: .choice(Option.allCases.map(\.rawValue)), meaning: meaning, standard: .string(standard.rawValue),
            example: example)
    }
}

/// How hard to push; the defaults are those of `LimitSettings`.
enum LimitKeys {
    private static let defaults = LimitSettings()

    static let limits = ObjectShape(keys: [
        count("jobsPerHost", defaults.jobsPerHost, "Server-side jobs (replicas, tile exports) open at once on one host.", "4"),
        count("jobsPerService", defaults.jobsPerService, "The same for one service.", "2"),
        count("connectionsPerHost", defaults.connectionsPerHost, "Requests open at once to one host.", "4"),
        time("jobDeadline", defaults.jobDeadline, "The longest time from submitting a job to its verified file.", "90 min"),
        time("connectTimeout", defaults.connectTimeout, "The longest wait for a connection.", "10 s"),
        time("inactivityTimeout", defaults.inactivityTimeout, "The longest silence within a transfer.", "5 min"),
        count("attempts", defaults.attempts, "Tries of one request or job before it has failed, the first included.", "3"),
    ])

    static let budget = ObjectShape(
        keys: [
            Key(
                name: "tiles", shape: .integer(minimum: 1),
                meaning: "Tiles, as `plan` counts them: exact for the areas, an upper bound where services have holes.",
                standardInWords: "no limit", example: "200000"),
            Key(
                name: "rows", shape: .integer(minimum: 1),
                meaning:
                    "Rows of features and tables, as the services count them; rows that come through relationships are not counted. "
                    + "With it `run` asks for the counts, too, and a service that does not count refuses the plan.",
                standardInWords: "no limit", example: "1000000"),
            Key(
                name: "bytes", shape: .bytes,
                meaning:
                    "Size of all downloads, as `plan` estimates it: the likely size counts. With it `run` asks for samples, too, and a "
                    + "size that cannot be estimated refuses the plan.",
                standardInWords: "no limit", example: "2 GB"),
        ],
        rules: [.atLeast(1, otherwise: "`budget` limits nothing", hint: "give one of `tiles`, `rows`, `bytes`")])

    private static func count(_ name: String, _ standard: Int, _ meaning: String, _ example: String) -> Key {
        Key(name: name, shape: .integer(minimum: 1), meaning: meaning, standard: JSON(standard), example: example)
    }

    private static func time(_ name: String, _ standard: Duration, _ meaning: String, _ example: String) -> Key {
        let seconds = Int(standard.seconds)
        let text = seconds % 3600 == 0 ? "\(seconds / 3600) h" : seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
        return Key(name: name, shape: .duration, meaning: meaning, standard: .string(text), example: example)
    }
}
