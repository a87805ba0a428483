import Basics

extension ManifestDecoder {
    mutating func options(_ node: Node?) -> MapOptions {
        var options = MapOptions()
        func set<Value>(_ path: WritableKeyPath<MapOptions, Value>, _ value: Value?) {
            if let value { options[keyPath: path] = value }
        }
        func choice<Option: RawRepresentable>(_ key: String) -> Option? where Option.RawValue == String {
            node?[key]?.text.flatMap(Option.init(rawValue:))
        }
        set(\.includeBasemap, node?["includeBasemap"]?.bool)
        if let basemap = node?["referenceBasemap"], let text = basemap.text {
            options.referenceBasemap = folder.resolve(text)
            options.referenceBasemapOrigin = origin(basemap)
        }
        set(\.returnLayerAttachmentOption, choice("returnLayerAttachmentOption"))
        set(\.attachmentSyncDirection, choice("attachmentSyncDirection"))
        set(\.returnSchemaOnlyForEditableLayers, node?["returnSchemaOnlyForEditableLayers"]?.bool)
        set(\.isDefinitionExpressionFilterEnabled, node?["isDefinitionExpressionFilterEnabled"]?.bool)
        set(\.continueOnErrors, node?["continueOnErrors"]?.bool)
        set(\.destinationTableRowFilter, choice("destinationTableRowFilter"))
        set(\.onlineOnlyServicesOption, choice("onlineOnlyServicesOption"))
        set(\.updateMode, choice("updateMode"))
        options.syncModel = choice("syncModel")
        options.outSpatialReference = node?["outSpatialReference"]?.plainInteger
        options.syncDataOptions = node?["syncDataOptions"]?.plainInteger
        set(\.ignoreOfflineDisabled, node?["ignoreOfflineDisabled"]?.bool)
        if let info = node?["itemInfo"] { options.itemInfo = itemInfo(info) }
        return options
    }

    /// Wherever `syncModel` stands.
    mutating func refuseUnsynced(_ node: Node?, _ updateMode: MapOptions.UpdateMode) {
        guard updateMode == .syncWithFeatureServices, let place = node?.entry("syncModel"), place.value.text == "none" else {
            return
        }
        problems.error(
            place.value.span, "`syncModel: none` cannot stand beside `updateMode: syncWithFeatureServices`",
            hint: "a copy that the server keeps no account of cannot be synchronised")
    }

    private mutating func itemInfo(_ node: Node) -> ItemInfo {
        ItemInfo(
            title: node["title"]?.text, snippet: node["snippet"]?.text, tags: node["tags"]?.items?.compactMap(\.text),
            description: node["description"]?.text, thumbnail: node["thumbnail"].flatMap { picture($0) })
    }

    private mutating func picture(_ node: Node) -> String? {
        guard let text = node.text else { return nil }
        let file = folder.resolve(text)
        do throws(SystemError) {
            let bytes = try read(file)
            let beginnings: [[UInt8]] = [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8)]
            if !beginnings.contains(where: { bytes.starts(with: $0) }) {
                problems.error(node.span, "`\(text)` is neither PNG, JPEG nor GIF")
            }
        } catch {
            problems.error(node.span, "the picture `\(text)` cannot be read: \(error.words)")
        }
        return file
    }

    func limits(_ node: Node?) -> LimitSettings {
        var limits = LimitSettings()
        func set<Value>(_ path: WritableKeyPath<LimitSettings, Value>, _ value: Value?) {
            if let value { limits[keyPath: path] = value }
        }
        set(\.jobsPerHost, node?["jobsPerHost"]?.plainInteger)
        set(\.jobsPerService, node?["jobsPerService"]?.plainInteger)
        set(\.connectionsPerHost, node?["connectionsPerHost"]?.plainInteger)
        set(\.jobDeadline, node?["jobDeadline"]?.duration)
        set(\.connectTimeout, node?["connectTimeout"]?.duration)
        set(\.inactivityTimeout, node?["inactivityTimeout"]?.duration)
        set(\.attempts, node?["attempts"]?.plainInteger)
        return limits
    }

    func authentication(_ node: Node?) -> Authentication {
        if let secret = secret(node?["apiKey"]) { return .apiKey(secret) }
        if let secret = secret(node?["token"]) { return .token(secret, referer: node?["referer"]?.text) }
        if let oauth = node?["oauth"], let id = oauth["clientID"]?.text, let secret = secret(oauth["clientSecret"]) {
            return .oauth(clientID: id, clientSecret: secret)
        }
        if let user = node?["user"], let name = user["name"]?.text, let password = secret(user["password"]) {
            return .user(name: name, password: password)
        }
        return .none
    }

    func secret(_ node: Node?) -> SecretReference? {
        if let file = node?["file"]?.text { return .file(folder.resolve(file)) }
        if let name = node?["credential"]?.text { return .credential(name) }
        if let name = node?["env"]?.text { return .environment(name) }
        guard let command = node?["command"] else { return nil }
        var words = command.text.map { [$0] } ?? command.items?.compactMap(\.text) ?? []
        // A name without a slash is looked up in PATH.
        if let program = words.first, program.contains("/") { words[0] = folder.resolve(program) }
        return words.isEmpty ? nil : .command(words)
    }
}
