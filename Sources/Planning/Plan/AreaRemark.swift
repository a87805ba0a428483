import Geography

/// What became of an area on its way from the manifest to the services, where that is not plain.
public enum AreaRemark: Codable, Sendable, Hashable {
    /// Its polygon crossed itself; what its rings enclose was taken.
    case repaired
    /// It crosses the antimeridian: services get a part on each side.
    case split
    /// It reached over the edge of the world of its spatial reference, and ends there.
    case clamped
    /// It goes on where Web Mercator ends.
    case beyondWebMercator
    /// Its border has fewer vertices than before and covers the old one; how much larger the area became, 0.01 for 1 %.
    case simplified(from: Int, to: Int, growth: Double)

    public var words: String {
        switch self {
        case .repaired: "its polygon crosses itself; what its rings enclose is taken"
        case .split: "it crosses the antimeridian; services are asked for a part on each side"
        case .clamped: "it reaches over a pole or the edge of its spatial reference, and is cut there"
        case .beyondWebMercator: "it reaches beyond 85.0511°, where services in Web Mercator end: for them it is cut there"
        case .simplified(let from, let to, let growth):
            "its border is simplified outward from \(from) to \(to) vertices; the area grows by \(Self.percent(growth))"
        }
    }

    private static func percent(_ part: Double) -> String {
        let hundredths = (part * 10_000).rounded() / 100
        return hundredths < 0.01 ? "less than 0.01 %" : "\(hundredths) %"
    }
}
