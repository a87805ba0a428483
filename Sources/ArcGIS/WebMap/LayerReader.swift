import Basics

/// Walks a web map's sections and groups and makes its list of layers.
struct LayerReader {
    private(set) var layers: [WebMapLayer] = []
    private(set) var warnings: [WebMapWarning] = []
    private var used: Set<String> = []
    /// Ids that the map itself gives: made-up ones keep out of their way.
    private var written: Set<String> = []

    mutating func read(_ map: JSON) {
        let sections: [(section: WebMapLayer.Section, path: [JSONStep])] = [
            (.basemap, [.key("baseMap"), .key("baseMapLayers")]), (.operational, [.key("operationalLayers")]),
            (.table, [.key("tables")]),
        ]
        for (_, path) in sections { collectIDs(map.value(at: path)) }
        for (section, path) in sections {
            read(map.value(at: path), section: section, groups: [], path: path)
        }
    }

    private mutating func collectIDs(_ list: JSON?) {
        for item in list?.array ?? [] {
            if let id = Self.writtenID(item) { written.insert(id) }
            if Self.isGroup(item) { collectIDs(item["layers"]) }
        }
    }

    private mutating func read(_ list: JSON?, section: WebMapLayer.Section, groups: [WebMapLayer.Group], path: [JSONStep]) {
        for (index, item) in (list?.array ?? []).enumerated() {
            let place = path + [.index(index)]
            guard item.object != nil else {
                warnings.append(.notALayer(section: section.rawValue, index: index))
                continue
            }
            let id = uniqueID(item, section: section, path: place)
            if Self.isGroup(item), item["layers"]?.array?.contains(where: { $0.object != nil }) == true {
                let title = item["title"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? id
                read(
                    item["layers"], section: section, groups: groups + [.init(id: id, title: title)],
                    path: place + [.key("layers")])
            } else {
                layers.append(WebMapLayer(item, id: id, section: section, groups: groups, path: place))
            }
        }
    }

    /// A layer's sublayers and a subtype group's subtypes stand in `layers` too, but those layers have a URL of their own.
    private static func isGroup(_ item: JSON) -> Bool {
        if let type = item["layerType"]?.string { return type.lowercased() == "grouplayer" }
        return item["layers"]?.array != nil
            && ["url", "itemId", "type", "featureCollection"].allSatisfy { item[$0]?.isNull ?? true }
    }

    private static func writtenID(_ item: JSON) -> String? {
        switch item["id"] {
        case .string(let text)?: text.trimmed.isEmpty ? nil : text
        case .integer(let number)?: String(number)
        default: nil
        }
    }

    /// The written id; else one from the layer's place, so that the same map gives the same ids every night.
    private mutating func uniqueID(_ item: JSON, section: WebMapLayer.Section, path: [JSONStep]) -> String {
        let own = Self.writtenID(item)
        if let own, used.insert(own).inserted { return own }
        if let own { warnings.append(.duplicateID(own)) }
        let place = path.compactMap { if case .index(let index) = $0 { String(index) } else { nil } }.joined(separator: "-")
        let base = own ?? "\(section.rawValue)-\(place)"
        var candidate = own == nil ? base : "\(base)-2"
        var number = 2
        while written.contains(candidate) || used.contains(candidate) {
            number += 1
            candidate = "\(base)-\(number)"
        }
        used.insert(candidate)
        return candidate
    }
}
