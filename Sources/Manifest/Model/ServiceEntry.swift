/// A service that is taken without a web map, or beside one.
public struct ServiceEntry: Sendable, Hashable {
    public enum Source: Sendable, Hashable {
        /// Of a feature service or one of its layers, a map, image or vector tile service.
        case url(String)
        /// 32 hexadecimal digits.
        case item(String)
    }

    /// One layer or table of a feature service.
    public struct Layer: Sendable, Hashable {
        /// Its number in the service.
        public var id: Int
        public var title: String?
        /// Matches nothing: which layer is meant is `id`.
        public var settings: LayerOverride

        public init(id: Int, title: String? = nil, settings: LayerOverride = LayerOverride(match: .init())) {
            self.id = id
            self.title = title
            self.settings = settings
        }
    }

    public var source: Source
    public var title: String?
    /// For all that the service brings; matches nothing, because no layer is known yet.
    public var settings: LayerOverride
    /// Those that are named; empty for all.
    public var layers: [Layer]

    public init(
        source: Source, title: String? = nil, settings: LayerOverride = LayerOverride(match: .init()), layers: [Layer] = []
    ) {
        self.source = source
        self.title = title
        self.settings = settings
        self.layers = layers
    }

    /// "file:line:column" of the entry.
    public var origin: String { settings.origin }
}
