/// A secret in memory. It prints as stars, also within other values, so that no log shows it by accident, and its
/// value is masked wherever text leaves the program (`KnownSecrets`).
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// - Parameter source: what the user calls it: "environment variable PASSWORD".
    public init(_ value: String, from source: String? = nil) {
        self.value = value
        KnownSecrets.add(value, from: source)
    }

    /// The value itself, for the one place that sends it.
    public func reveal() -> String { value }

    public var description: String { "***" }
    public var debugDescription: String { "***" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
