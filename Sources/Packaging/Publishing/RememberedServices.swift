import Basics
import Planning

extension OutputFolder {
    /// What the current maps know of the services that they are made of; of two that know the same service, the first by the area's
    /// name counts. Blocks.
    public func rememberedServices() -> [RememberedService] {
        var seen: Set<String> = []
        return ((try? areas()) ?? []).flatMap(services).filter { seen.insert($0.name).inserted }
    }

    /// When the items of the tiles and styles in the current maps were last changed; of maps that differ, the newest counts. Blocks.
    public func rememberedItemEdits() -> [String: Int] {
        ((try? areas()) ?? []).reduce(into: [:]) { edits, area in
            for source in inventory(area)?["sources"]?.array ?? [] {
                edits.merge(SourceStamp(json: source["stamp"])?.items ?? [:], uniquingKeysWith: max)
            }
        }
    }

    private func services(_ area: String) -> [RememberedService] {
        (inventory(area)?["services"]?.array ?? []).compactMap { try? $0.decoded(as: RememberedService.self) }
    }

    private func inventory(_ area: String) -> JSON? {
        let generations = generations(of: area)
        guard let current = generations.current,
            let text = try? Files.read(generations.path(current) + "/" + InventoryRecord.fileName)
        else { return nil }
        return try? JSON.parse(text)
    }
}
