/// A secret in memory. It prints as stars, also within other values, so that no log shows it by accident, and its
/// value is masked wherever text leaves the program (`KnownSecrets`).
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    public init(_ value: String) {
        self.value = value
        KnownSecrets.add(value)
    }

    /// The value itself, for the one place that sends it.
    public func reveal() -> String { value }

    public var description: String { "***" }
    public var debugDescription: String { "***" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
