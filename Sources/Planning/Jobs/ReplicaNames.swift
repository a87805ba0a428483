import Basics

/// What our replicas are called at their services.
public enum ReplicaNames {
    /// Recognisable on the server, and within the 127 characters that old servers allow; they make it unique themselves.
    static func name(_ manifest: String, _ area: String, _ source: String) -> String {
        String((prefix(manifest) + [area, source].map(Paths.slug).joined(separator: "_")).prefix(100))
    }

    /// How all names begin that a manifest gives.
    public static func prefix(_ manifest: String) -> String { "ob_\(Paths.slug(manifest))_" }
}
