/// A finding of `lint` that is known and accepted.
public struct LintIgnore: Sendable, Hashable {
    /// "OB012".
    public var rule: String
    /// The title of a layer; nil for all.
    public var layer: String?
    public var reason: String
    /// "file:line:column" of the entry.
    public var origin: String

    public init(rule: String, layer: String? = nil, reason: String, origin: String = "") {
        self.rule = rule
        self.layer = layer
        self.reason = reason
        self.origin = origin
    }
}

extension ManifestDecoder {
    func lintIgnores(_ node: Node?) -> [LintIgnore] {
        (node?["ignore"]?.items ?? []).compactMap { item in
            guard let rule = item["rule"]?.text, let reason = item["reason"]?.text else { return nil }
            return LintIgnore(rule: rule, layer: item["layer"]?.text, reason: reason, origin: origin(item))
        }
    }
}
