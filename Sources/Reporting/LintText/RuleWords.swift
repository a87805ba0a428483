/// What each rule means, as in docs/rules.md: SARIF viewers show it beside the findings.
enum RuleWords {
    static func meaning(of rule: String) -> String { all.first { $0.rule == rule }?.meaning ?? rule }
    static func help(for rule: String) -> String { all.first { $0.rule == rule }?.help ?? "" }

    static let all: [(rule: String, meaning: String, help: String)] = [
        (
            "OB001 replica",
            "The feature service allows Sync: the layer comes as a replica, in a `.geodatabase`.",
            "Nothing."
        ),
        (
            "OB002 extract-copy",
            "The service allows Extract without Sync: the layer comes as a copy that the server keeps no account of.",
            "Nothing; to send edits back later, its owner must switch Sync on."
        ),
        (
            "OB003 registered-copy",
            "The service makes registered replicas only: one is made, and unregistered after the download.",
            "Nothing."
        ),
        (
            "OB004 data-in-map",
            "The features are part of the map document and travel with it.",
            "Nothing."
        ),
        (
            "OB005 empty-group",
            "A group without layers: there is nothing to fetch.",
            "Nothing."
        ),
        (
            "OB006 tile-export",
            "The map or image service allows its tiles to be exported: they come as a `.tpkx` or `.tpk`.",
            "Nothing."
        ),
        (
            "OB007 vector-tile-export",
            "The vector tile service allows its tiles to be exported: they come as a `.vtpk`.",
            "Nothing."
        ),
        (
            "OB008 export-twin",
            "A base map of Esri; its tiles come from the host that exports them.",
            "Sign in: that host gives nothing to anonymous users."
        ),
        (
            "OB009 style-only",
            "The manifest takes the style of a vector tile layer and none of its tiles.",
            "Nothing, if another layer of the map brings the tiles; else the layer needs a network."
        ),
        (
            "OB010 no-sync",
            "The service allows neither Sync nor Extract.",
            "Ask its owner to switch Sync on in the settings of the feature layer."
        ),
        (
            "OB012 no-global-id",
            "The layer has no global ids, and a registered replica needs them.",
            "Ask its owner to add global ids, or do without `updateMode: syncWithFeatureServices`."
        ),
        (
            "OB013 join-view",
            "A view that joins several services.",
            "Use the layers that it joins."
        ),
        (
            "OB014 no-layer-number",
            "The URL names the service, and the service has several layers.",
            "Add the number of the layer to its URL in the map."
        ),
        (
            "OB015 layer-missing",
            "The service has no layer of that number.",
            "Repair the map: the service was published again with other numbers."
        ),
        (
            "OB016 layer-type",
            "A group, network or other layer that a replica cannot hold.",
            "Add its feature layers to the map themselves."
        ),
        (
            "OB017 annotation",
            "An annotation layer: in REST a bit of a number asks for those, and which bit is not published.",
            "Nothing; its text is drawn online, or publish it as labels of the feature layer."
        ),
        (
            "OB018 dimension",
            "A dimension layer: the same.",
            "Nothing; it is drawn online."
        ),
        (
            "OB020 not-cached",
            "The service has no tile cache, or does not say how its tiles are cut.",
            "Ask its owner to build a cache, or use a feature service of the same data."
        ),
        (
            "OB021 export-not-allowed",
            "The service has tiles and does not allow their export.",
            "Ask its owner to allow offline use, or use a base map that does."
        ),
        (
            "OB022 dynamic-map",
            "The server draws the layer anew for each view, or the map shows a part of its service only.",
            "Use a tiled layer of the whole service, or its feature layers."
        ),
        (
            "OB023 map-service-layer",
            "One layer of a map service: those have neither replicas nor tiles of their own.",
            "Use the same layer of the feature service, if there is one."
        ),
        (
            "OB024 cache-unknown",
            "Only the service can say whether it has tiles, and it was not asked.",
            "Inspect the map by its item id, or plan: both ask."
        ),
        (
            "OB025 wrong-service",
            "The URL is that of another kind of service than the layer's type.",
            "Repair the layer in the map."
        ),
        (
            "OB026 foreign-style",
            "Neither the style nor the item of a vector tile layer names a vector tile service of ArcGIS.",
            "Use a vector tile layer whose service allows export."
        ),
        (
            "OB030 online-kind",
            "WMS, KML, CSV by URL and other kinds that work online only.",
            "Publish the data as a hosted feature layer or as tiles."
        ),
        (
            "OB031 unknown-kind",
            "Nothing says what the layer is, or its type is on no list.",
            "Report the type, if it is one of ArcGIS."
        ),
        (
            "OB032 scene",
            "A kind of 3D scenes, or a layer of a web scene.",
            "Use a web map."
        ),
        (
            "OB033 no-source",
            "The layer has neither a URL nor a portal item nor data of its own.",
            "Repair or remove it in the map."
        ),
        (
            "OB034 bad-url",
            "Its URL is no web address.",
            "Repair it in the map."
        ),
        (
            "OB035 data-in-item",
            "The data, or the list of layers, is in a portal item of its own.",
            "Save a copy of it in the map, or publish it as a hosted feature layer."
        ),
        (
            "OB036 item-kind",
            "The layer's portal item is of a kind that has no service.",
            "Add the layer of a service to the map, or publish the item as a hosted layer."
        ),
        (
            "OB037 item-missing",
            "The portal has no such item, or does not show it to this account; it says the same in both cases.",
            "Sign in with an account that sees it, ask for it to be shared, or remove the layer from the map."
        ),
        (
            "OB040 could-not-look",
            "The service gave no usable answer. `plan` refuses then: a layer is not left out silently.",
            "Try again; if it stays so, ask the owner of the service."
        ),
        (
            "OB041 sign-in-needed",
            "The service is not shown to this account.",
            "Sign in, or ask for the layer to be shared."
        ),
        (
            "OB042 item-not-read",
            "A portal item names the service, and the portal was not asked.",
            "Inspect the map by its item id, or plan: both ask."
        ),
        (
            "OB050 field-type",
            "Fields of the types BigInteger, DateOnly, TimeOnly or TimestampOffset, or object ids of 64 bits, in a service older than 11.5: its replicas cannot hold them.",
            "Ask its owner for an older type or a newer server."
        ),
        (
            "OB051 long-field-name",
            "Fields whose names have more than 31 characters.",
            "Ask its owner for shorter names."
        ),
        (
            "OB052 field-keyword",
            "Fields that are named like a word of SQL.",
            "Ask its owner to rename them."
        ),
        (
            "OB053 index-name",
            "Indexes whose names have `+` or `-`.",
            "Ask its owner to make them again under other names."
        ),
        (
            "OB054 missing-key-field",
            "The key field of a relationship, or the subtype field, is not among the layer's fields.",
            "Ask its owner to show the field, above all in views."
        ),
        (
            "OB055 true-curves",
            "`allowTrueCurvesUpdates` and `onlyAllowTrueCurveUpdatesByTrueCurveClients` of the layer are the same: edits made offline may be refused.",
            "Ask its owner to switch on one of them and not the other."
        ),
        (
            "OB060 deprecated-basemap",
            "The export of this base map of Esri is deprecated.",
            "Use a vector base map, imagery, hillshade or the ocean base."
        ),
        (
            "OB061 several-sources",
            "The style of the vector tile layer draws several sources.",
            "Use a style with one source."
        ),
        (
            "OB062 shared-url",
            "Two layers of the map have the same address.",
            "Nothing, if their filters or scales differ; else remove one."
        ),
        (
            "OB063 offline-disabled",
            "The author has switched off offline use of the map (`OfflineDisabled`): `plan` refuses it.",
            "Ask the author, or set `options: { ignoreOfflineDisabled: true }`."
        ),
        (
            "OB064 offline-unchecked",
            "The map's item has no keyword `Offline`: Esri's tools have not found it fit for offline use.",
            "Nothing; the other rules say what there is to it."
        ),
        (
            "OB065 stored-credentials",
            "A base map whose tiles only an account of ArcGIS Online gets, in a map of ArcGIS Enterprise.",
            "Store credentials in the base map's item, use a base map of your own server, or give the host an entry in `portal: servers`."
        ),
        (
            "OB066 notes-and-routes",
            "A layer of map notes or of a route. It travels with the map; Esri's own apps may refuse to take such a map.",
            "Save its features as a feature layer, if Esri's apps are to take the map as well."
        ),
        (
            "OB069 idle-override",
            "An entry of `layers` matches no layer of the map: `plan` refuses it.",
            "Correct or remove the entry."
        ),
        (
            "OB070 idle-ignore",
            "An entry of `lint: ignore` fits no finding.",
            "Remove the entry."
        ),
    ]
}
