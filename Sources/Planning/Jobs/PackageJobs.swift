import Basics
import Manifest

/// The folder of one area, and the switch of its `current`.
enum PackageJobs {
    static func jobs(area: PlannedArea, parts: [Job], map: PlannedMap) -> [Job] {
        let id = "\(area.id)/package"
        var content: JSON = [
            "map": map.document, "item": map.item, "area": (try? JSON.encoding(area)) ?? .null,
            "parts": .array(parts.map { [.string($0.id), .string($0.key)] }),
        ]
        if map.itemInfo != ItemInfo() { content["itemInfo"] = (try? JSON.encoding(map.itemInfo)) ?? .null }
        let key = JobKey.make(.package, area.id, [:], content)
        return [
            Job(
                id: id, area: area.id, layers: [], reason: "assembles \(parts.count) parts", dependsOn: parts.map(\.id), key: key,
                work: .package),
            Job(
                id: "\(area.id)/publish", area: area.id, layers: [], reason: "switches to the new map", dependsOn: [id],
                key: JobKey.make(.publish, area.id, [:], .string(key)), work: .publish),
        ]
    }
}
