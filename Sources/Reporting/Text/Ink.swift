/// Colours of the terminal; without `isEnabled` every text stays as it is. Colour never carries a meaning alone.
public struct Ink: Sendable {
    public enum Colour: Int, Sendable, CaseIterable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    public var isEnabled: Bool

    public init(isEnabled: Bool) { self.isEnabled = isEnabled }

    public static let plain = Ink(isEnabled: false)

    public func callAsFunction(_ text: String, _ colour: Colour?) -> String {
        guard isEnabled, let colour, !text.isEmpty else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }
}
