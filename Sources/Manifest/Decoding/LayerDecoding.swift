extension ManifestDecoder {
    mutating func layers(_ node: Node?) -> [LayerOverride] {
        var seen: [LayerOverride.Match: Span] = [:]
        return (node?.items ?? []).map { item in
            let match = item["match"]
            let override = settings(
                item,
                for: LayerOverride.Match(
                    title: match?["title"]?.text, id: match?["id"]?.text, url: match?["url"]?.text,
                    itemID: match?["itemId"]?.text?.lowercased()))
            if let match {
                if let first = seen[override.match] {
                    problems.error(
                        match.startSpan, "a second override for the same layer",
                        hint: "the first one is in line \(first.line): join the two")
                } else if override.match != LayerOverride.Match() {
                    seen[override.match] = item.span
                }
            }
            return override
        }
    }

    mutating func services(_ node: Node?) -> [ServiceEntry] {
        (node?.items ?? []).map { item in
            let url = item["url"]?.text
            if let url { refuseKeysOfOtherKinds(item, url) }
            return ServiceEntry(
                source: url.map { .url($0) } ?? .item(item["itemId"]?.text?.lowercased() ?? ""), title: item["title"]?.text,
                settings: settings(item, for: LayerOverride.Match()), layers: serviceLayers(item["layers"]))
        }
    }

    private mutating func serviceLayers(_ node: Node?) -> [ServiceEntry.Layer] {
        var seen: [Int: Span] = [:]
        let items = node?.items ?? []
        let isSelection = items.contains { $0["exclude"]?.bool != true }
        return items.map { item in
            let layer = ServiceEntry.Layer(
                id: item["id"]?.plainInteger ?? 0, title: item["title"]?.text,
                settings: settings(item, for: LayerOverride.Match()))
            if let id = item["id"], let first = seen.updateValue(id.span, forKey: layer.id) {
                problems.error(
                    id.span, "layer \(layer.id) is named twice", hint: "the first one is in line \(first.line): join the two")
            }
            if isSelection, layer.settings.exclude, let entry = item.entry("exclude") {
                problems.warning(entry.key.span, "`exclude` has no effect: only the other layers of the list are taken")
            }
            return layer
        }
    }

    /// The address tells the kind of service; for an item only the portal can.
    private mutating func refuseKeysOfOtherKinds(_ item: Node, _ url: String) {
        let kinds = ["FeatureServer", "MapServer", "ImageServer", "VectorTileServer"]
        let segments = url.split(separator: "/").map(String.init)
        guard let kind = kinds.first(where: { segments.suffix(2).contains($0) }) else { return }
        let own = ServiceKeys.settings(ofKind: kind)
        for entry in item.entries ?? [] {
            guard let key = entry.key.scalar?.text, !own.contains(key) else { continue }
            let others = kinds.filter { ServiceKeys.settings(ofKind: $0).contains(key) }
            if others.isEmpty { continue }
            problems.error(
                entry.key.span, "`\(key)` is not for a \(kind)", hint: "it is for a " + others.joined(separator: " or "))
        }
        if let layers = item.entry("layers"), segments.last.flatMap({ Int($0) }) != nil {
            problems.error(
                layers.key.span, "`layers` cannot stand beside the address of one layer",
                hint: "end the address with /FeatureServer, or leave `layers` out")
        }
    }

    private mutating func settings(_ item: Node, for match: LayerOverride.Match) -> LayerOverride {
        func choice<Option: RawRepresentable>(_ key: String) -> Option? where Option.RawValue == String {
            item[key]?.text.flatMap(Option.init(rawValue:))
        }
        var override = LayerOverride(
            match: match, exclude: item["exclude"]?.bool ?? false, online: item["online"]?.bool ?? false,
            levelIDs: item["levelIDs"]?.levelIDs, buffer: item["buffer"]?.metres, whereClause: item["where"]?.text,
            useGeometry: item["useGeometry"]?.bool, queryOption: choice("queryOption"),
            includeRelated: item["includeRelated"]?.bool, attachments: item["attachments"]?.bool,
            compressionQuality: item["compressionQuality"]?.plainInteger, maxLevel: item["maxLevel"]?.plainInteger,
            vectorTiles: choice("vectorTiles"), syncModel: choice("syncModel"),
            outSpatialReference: item["outSpatialReference"]?.plainInteger, origin: origin(item))
        override.refresh = item["refresh"]?.age
        override.onError = choice("onError")
        warnOfKeysWithoutEffect(item, override)
        return override
    }

    private mutating func warnOfKeysWithoutEffect(_ item: Node, _ override: LayerOverride) {
        func warn(_ names: [String], _ reason: String) {
            guard let entry = item.entries?.first(where: { names.contains($0.key.scalar?.text ?? "") }) else { return }
            problems.warning(entry.key.span, "`\(entry.key.scalar?.text ?? "")` has no effect: \(reason)")
        }
        let others = LayerKeys.settings.map(\.name).filter { !["exclude", "online"].contains($0) }
        if override.exclude { return warn(others, "the layer is excluded") }
        if override.online { return warn(others, "the layer stays online") }
        if override.queryOption != LayerOverride.QueryOption.none {
            warn(["includeRelated"], "it is for `queryOption: none`")
        }
        if let option = override.queryOption, option != .useFilter {
            warn(["where", "useGeometry"], "`queryOption: \(option.rawValue)` filters nothing")
        }
        if override.vectorTiles == .style { warn(["levelIDs", "maxLevel", "buffer"], "`vectorTiles: style` takes no tiles") }
    }
}
