import Basics

/// All services of the server, by `{name}/{type}`.
struct Catalogue: Sendable {
    var features: [String: FeatureService] = [:]
    var tiles: [String: TileService] = [:]

    mutating func add(_ service: FeatureService) { features[service.path] = service }
    mutating func add(_ service: TileService) { tiles[service.path] = service }

    /// The root listing or that of a folder; nil for a folder that does not exist.
    func listing(folder: String?) -> JSON? {
        let paths = (Array(features.keys) + Array(tiles.keys)).sorted().map { $0.split(separator: "/").map(String.init) }
        let folders = Array(Set(paths.filter { $0.count == 3 }.map { $0[0] })).sorted()
        if let folder, !folders.contains(folder) { return nil }
        let shown = paths.filter { folder == nil ? $0.count == 2 : $0.count == 3 && $0[0] == folder }
        return [
            "currentVersion": 11.3, "folders": folder == nil ? .array(folders.map(JSON.string)) : [],
            "services": .array(
                shown.map { ["name": .string($0.dropLast().joined(separator: "/")), "type": .string($0[$0.count - 1])] }),
        ]
    }

    /// Metadata that never changes, rendered once: URL path → document and the service it belongs to.
    func fixedAnswers() -> [String: (service: String, answer: FixedJSON)] {
        var answers: [String: (service: String, answer: FixedJSON)] = [:]
        for service in features.values {
            let path = Places.servicesPath + "/" + service.path
            answers[path] = (service.path, FixedJSON(ServiceMetadata.root(service)))
            answers[path + "/layers"] = (service.path, FixedJSON(ServiceMetadata.layers(service)))
            for table in service.tables {
                answers["\(path)/\(table.id)"] = (service.path, FixedJSON(LayerMetadata.document(table, of: service)))
            }
        }
        for service in tiles.values {
            let path = Places.servicesPath + "/" + service.path
            answers[path] = (service.path, service.root)
            guard service.kind == .map else { continue }
            let layers = TileMetadata.layers(of: service.root.tree)
            for layer in layers {
                if let id = layer["id"]?.int { answers["\(path)/\(id)"] = (service.path, FixedJSON(layer)) }
            }
            answers[path + "/layers"] = (service.path, FixedJSON(["layers": .array(layers), "tables": []]))
        }
        return answers
    }
}
