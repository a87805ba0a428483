import ArcGIS
import Basics
import Manifest

/// What the manifest's `layers:` say about each layer of the map.
struct OverrideTable {
    /// All entries that match one layer, put together; of two that set the same thing, the later one counts.
    struct Entry: Equatable {
        var exclude = false
        var levelIDs: [Int]?
        var buffer: Double?
        var whereClause: String?
        var useGeometry: Bool?
    }

    private var entries: [String: Entry] = [:]
    /// Entries that match nothing: each refuses the plan (cases D11, F11).
    private(set) var problems: [PlanProblem] = []

    init(_ overrides: [LayerOverride], layers: [WebMapLayer]) {
        for override in overrides {
            let matched = layers.filter { override.match.matches($0) }
            if matched.isEmpty { problems.append(Self.problem(override, layers)) }
            for layer in matched { entries[layer.id, default: Entry()].add(override) }
        }
    }

    subscript(layer: WebMapLayer) -> Entry { entries[layer.id] ?? Entry() }

    private static func problem(_ override: LayerOverride, _ layers: [WebMapLayer]) -> PlanProblem {
        let near = override.match.title.flatMap { nearestName(to: $0, among: layers.map(\.title)) }
        let titles = layers.map(\.title)
        return PlanProblem(
            origin: override.origin,
            failure: .refusal(
                "no layer of the map matches \(override.match.text)",
                near.map { ["did you mean \"\($0)\"?"] } ?? ["the map has: " + titles.joined(separator: ", ")]))
    }
}

extension OverrideTable.Entry {
    fileprivate mutating func add(_ override: LayerOverride) {
        exclude = exclude || override.exclude
        levelIDs = override.levelIDs ?? levelIDs
        buffer = override.buffer ?? buffer
        whereClause = override.whereClause ?? whereClause
        useGeometry = override.useGeometry ?? useGeometry
    }
}

extension LayerOverride.Match {
    /// Every given key must agree. URLs are compared without scheme, query and trailing slash; a service URL matches its layers.
    func matches(_ layer: WebMapLayer) -> Bool {
        if let title, title != layer.title { return false }
        if let id, id != layer.id { return false }
        if let itemID, itemID.lowercased() != layer.itemID?.lowercased() { return false }
        if let url {
            guard let mine = ServiceAddress(url), let theirs = layer.url.flatMap(ServiceAddress.init) else { return false }
            guard mine.place == theirs.place, mine.layer == nil || mine.layer == theirs.layer else { return false }
        }
        return true
    }

    var text: String {
        [title.map { "title \"\($0)\"" }, id.map { "id \"\($0)\"" }, url.map { "url \($0)" }, itemID.map { "itemId \($0)" }]
            .compactMap { $0 }.joined(separator: ", ")
    }
}

extension ServiceAddress {
    /// The service without its scheme: maps mix http and https.
    fileprivate var place: Substring { service.drop { $0 != "/" } }
}
