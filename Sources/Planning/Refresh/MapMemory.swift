/// What the maps that are out remember; read only on nights when somebody does not answer.
public struct MapMemory: Sendable {
    /// What the manifest's services were found to be.
    public var services: @Sendable () async -> [RememberedService]
    /// When the items of tiles and styles were last changed, by id; milliseconds since 1970.
    public var itemEdits: @Sendable () async -> [String: Int]

    public init(
        services: @escaping @Sendable () async -> [RememberedService] = { [] },
        itemEdits: @escaping @Sendable () async -> [String: Int] = { [:] }
    ) {
        self.services = services
        self.itemEdits = itemEdits
    }
}
