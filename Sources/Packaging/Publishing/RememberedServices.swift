import Basics
import Planning

extension OutputFolder {
    /// What the current maps know of the services that they are made of; of two that know the same service, the first by the area's
    /// name counts. Blocks.
    public func rememberedServices() -> [RememberedService] {
        var seen: Set<String> = []
        return ((try? areas()) ?? []).flatMap(services).filter { seen.insert($0.name).inserted }
    }

    private func services(_ area: String) -> [RememberedService] {
        let generations = generations(of: area)
        guard let current = generations.current,
            let text = try? Files.read(generations.path(current) + "/" + InventoryRecord.fileName),
            let listed = try? JSON.parse(text)["services"]?.array
        else { return [] }
        return listed.compactMap { try? $0.decoded(as: RememberedService.self) }
    }
}
