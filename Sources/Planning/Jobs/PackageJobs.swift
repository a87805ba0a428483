import Basics
import Manifest

/// The folder of one area, and the switch of its `current`.
enum PackageJobs {
    static func jobs(area: PlannedArea, parts: [Job], content: PackageContent) -> [Job] {
        let id = "\(area.id)/package"
        let key = key(area: area, parts: parts.map { ($0.id, $0.key) }, content: content)
        return [
            Job(
                id: id, area: area.id, layers: [], reason: "assembles \(parts.count) parts", dependsOn: parts.map(\.id), key: key,
                work: .package),
            Job(
                id: "\(area.id)/publish", area: area.id, layers: [], reason: "switches to the new map", dependsOn: [id],
                key: JobKey.make(.publish, area.id, [:], .string(key)), work: .publish),
        ]
    }

    /// Of all that decides what is in the folder.
    static func key(area: PlannedArea, parts: [(id: String, key: String)], content: PackageContent) -> String {
        JobKey.make(
            .package, area.id, [:],
            [
                "map": .string(content.digest), "gaps": content.gaps(in: area.id),
                "area": (try? JSON.encoding(area)) ?? .null, "parts": .array(parts.map { [.string($0.id), .string($0.key)] }),
            ])
    }
}

/// What the map documents, item descriptions and inventories of all areas are made from, beside the parts.
struct PackageContent {
    /// Taken once for all areas: a map document may be long.
    let digest: String
    private let all: [String: [PlannedGap]]

    init(map: PlannedMap, layers: [PlannedLayer], gaps: [PlannedGap]) {
        var json: JSON = ["map": map.document, "item": map.item, "layers": (try? JSON.encoding(layers)) ?? .null]
        if map.itemInfo != ItemInfo() { json["itemInfo"] = (try? JSON.encoding(map.itemInfo)) ?? .null }
        // A picture may change under the same name.
        if let picture = map.itemInfo.thumbnail { json["thumbnail"] = .string((try? SHA256.hex(ofFile: picture)) ?? "") }
        digest = SHA256.hex(of: json.serialized(.canonical))
        all = Dictionary(grouping: gaps, by: \.area)
    }

    init(_ plan: Plan) { self.init(map: plan.map, layers: plan.layers, gaps: plan.gaps) }

    func gaps(in area: String) -> JSON { all[area].flatMap { try? JSON.encoding($0) } ?? [] }
}

extension Plan {
    /// The key of the job that puts an area's map together of parts with these keys.
    public func packageKey(of area: PlannedArea, parts: [(id: String, key: String)]) -> String {
        PackageJobs.key(area: area, parts: parts, content: PackageContent(self))
    }
}
