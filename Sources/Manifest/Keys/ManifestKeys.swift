import Basics

/// Every key of a manifest: the one list that the decoder, the schema and the reference are made from.
enum ManifestKeys {
    static let manifest = ObjectShape(
        keys: [
            Key(
                name: "version", shape: .constant(1), isRequired: true,
                meaning: "The version of the manifest format. 1 is the only one so far.", example: "1"),
            Key(
                name: "name", shape: .text(.any), isRequired: true,
                meaning: "A name for the whole job; it appears in reports and in the default output folder.",
                example: "naperville-water"),
            Key(
                name: "portal", shape: .object(portal),
                meaning: "The portal that holds the web map and the items, and how to sign in.",
                standardInWords: "ArcGIS Online, without signing in",
                example: "{ url: https://maps.example.com/portal }"),
            Key(
                name: "webMap", shape: .text(.any),
                meaning:
                    "The web map to take offline: its item id (32 hexadecimal digits), or the path of a file with web map JSON.",
                standardInWords: "a map made of `services`", example: "acc027394bc84c2fb04d1ed317aac674"),
            Key(
                name: "services", shape: .list(.object(ServiceKeys.service), itemWords: "services"),
                meaning: "Services to take offline without a web map, or beside it: their layers are added to the map.",
                standardInWords: "none",
                example: "[{ url: https://maps.example.com/server/rest/services/Water/FeatureServer, buffer: 100 m }]"),
            Key(
                name: "areas", shape: .list(.object(AreaKeys.area), itemWords: "areas"), isRequired: true,
                meaning: "The areas to take. Each gives one offline map.",
                example: "[{ id: downtown, envelope: { xmin: -88.16, ymin: 41.765, xmax: -88.14, ymax: 41.78 } }]"),
            Key(
                name: "scale", shape: .object(scale),
                meaning: "The scales that tiles are taken for. It changes tiles only, never features.",
                standardInWords: "no limit",
                example: "{ min: 10000, max: 500 }"),
            Key(
                name: "layers", shape: .list(.object(LayerKeys.layer), itemWords: "layer overrides"),
                meaning: "What is different for single layers. An entry that matches no layer of the map refuses the plan.",
                standardInWords: "every layer as `options` says", example: "[{ match: { title: System Valve }, exclude: true }]"),
            Key(
                name: "options", shape: .object(OptionKeys.options),
                meaning:
                    "Options of the whole map, with the names they have in GenerateOfflineMapParameters of the ArcGIS Maps SDK.",
                standardInWords: "the defaults of each option", example: "{ returnLayerAttachmentOption: none }"),
            Key(
                name: "refresh", shape: .object(RefreshKeys.refresh),
                meaning: "How old data may become of which nobody says that it changed.",
                standardInWords: "what did not change is not fetched again", example: "{ tiles: 30 d }"),
            RefreshKeys.onDrift,
            FailureKeys.onError,
            FailureKeys.publish,
            Key(
                name: "output", shape: .object(output),
                meaning: "Where finished maps go.", standardInWords: "`out/` and the name, beside the manifest",
                example: "{ directory: out/naperville-water, keep: 7 }"),
            Key(
                name: "limits", shape: .object(LimitKeys.limits),
                meaning: "How hard to push the servers, and how long to wait for them.",
                standardInWords: "the defaults of each limit",
                example: "{ jobsPerHost: 4, jobDeadline: 90 min }"),
            Key(
                name: "budget", shape: .object(LimitKeys.budget),
                meaning:
                    "What one run may ask for at most, all areas together. A plan that needs more is refused with both numbers.",
                standardInWords: "no limit", example: "{ tiles: 200000, rows: 1000000 }"),
            Key(
                name: "notify", shape: .object(NotifyKeys.notify),
                meaning: "Who is told how a run went, once its report is written.", standardInWords: "nobody",
                example: "{ ping: { url: { env: HEALTHCHECKS_URL } } }"),
            Key(
                name: "lint", shape: .object(LintKeys.lint), meaning: "What `offline-batch lint` is not to complain about.",
                standardInWords: "every finding counts", example: "{ ignore: [{ rule: OB062, reason: one layer a district }] }"),
        ], rules: [.required("webMap", unless: "services")])

    static let portal = ObjectShape(keys: [
        Key(
            name: "url", shape: .text(.url),
            meaning: "The portal's address, without `/sharing/rest`. The environment variable OFFLINE_BATCH_PORTAL overrides it.",
            standard: .string(PortalSettings.defaultURL), example: "https://maps.example.com/portal"),
        Key(
            name: "auth", shape: .either(scalar: .choice(["none"]), collection: .object(AuthKeys.auth)),
            meaning: "How to sign in: `none`, or one of `apiKey`, `token`, `oauth`, `user`.", standard: "none",
            example: "{ apiKey: { env: ARCGIS_API_KEY } }"),
        Key(
            name: "servers", shape: .list(.object(ConnectionKeys.server), itemWords: "servers"),
            meaning:
                "Stand-alone servers with accounts of their own. A server that is neither here nor federated gets no sign-in.",
            standardInWords: "none",
            example:
                "[{ url: https://gis.example.org/server, auth: { user: { name: night, password: { env: GIS_PASSWORD } } } }]"),
        Key(
            name: "tls", shape: .object(ConnectionKeys.tls),
            meaning: "Certificates. Servers are always verified; no key turns that off.",
            standardInWords: "the system's authorities", example: "{ caFile: company-ca.pem }"),
        Key(
            name: "proxy", shape: .object(ConnectionKeys.proxy), meaning: "The proxy that everything goes through.",
            standardInWords: "`http_proxy`, `https_proxy` and `no_proxy` of the environment",
            example: "{ url: http://proxy.example.org:3128 }"),
        Key(
            name: "webAuth",
            shape: .either(scalar: .choice(["negotiate"]), collection: .object(ConnectionKeys.webAuth)),
            meaning:
                "What the web server in front of the portal asks for: `negotiate` (Kerberos, with the ticket of the account that "
                + "runs this) or `ntlm`. Sent to the portal's own address only.",
            standardInWords: "nothing", example: "negotiate"),
    ])

    static let scale = ObjectShape(keys: [
        Key(
            name: "min", shape: .number(minimum: 0),
            meaning: "The smallest scale, as a denominator: the larger number, zoomed out. 0 is no limit.", standard: 0,
            example: "10000"),
        Key(
            name: "max", shape: .number(minimum: 0),
            meaning: "The largest scale, as a denominator: the smaller number, zoomed in. 0 is no limit.", standard: 0,
            example: "500"),
    ])

    static let output = ObjectShape(keys: [
        Key(
            name: "directory", shape: .text(.any),
            meaning: "The output folder; a relative path begins at the manifest's folder.",
            standardInWords: "`out/` and the name, made safe for a folder", example: "out/naperville-water"),
        Key(
            name: "keep", shape: .either(scalar: .integer(minimum: 1), collection: .object(keep)),
            meaning:
                "Which maps (generations) of each area stay: so many of the newest, the current one included, or `{ count, age }`. "
                + "What is beyond either limit goes, once a newer verified map is current; the newest map that lacks no layer stays.",
            standard: OutputSettings(directory: "").keep.count.map { JSON($0) },
            example: "{ count: 7, age: 30 d }"),
    ])

    static let keep = ObjectShape(
        keys: [
            Key(
                name: "count", shape: .integer(minimum: 1), meaning: "At most so many, the current one included.",
                standardInWords: "no limit", example: "7"),
            Key(
                name: "age", shape: .duration,
                meaning: "None older than this; the current one and the one before it stay at any age, to roll back to.",
                standardInWords: "no limit", example: "30 d"),
        ],
        rules: [.atLeast(1, otherwise: "`keep` limits nothing", hint: "give `count`, `age` or both")])
}
