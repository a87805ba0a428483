/// What becomes of an area when a layer does not come (`onError`). The stricter is the greater: of layers that come in one file the
/// strictest decides.
public enum FailurePolicy: String, Codable, Sendable, CaseIterable, Comparable {
    /// The map is made without it, and counts as incomplete.
    case skip
    /// Its file of the map that is out goes into the new one, marked as stale.
    case keepLastGood
    /// The area keeps its last good map.
    case fail

    public static func < (first: FailurePolicy, second: FailurePolicy) -> Bool {
        allCases.firstIndex(of: first)! < allCases.firstIndex(of: second)!
    }
}

/// Which maps may take the place of a complete one (`publish`).
public enum PublishPolicy: String, Codable, Sendable, CaseIterable { case complete, partial }
