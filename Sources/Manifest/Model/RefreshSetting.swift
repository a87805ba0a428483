/// When data is fetched again of which nobody says that it changed.
public enum RefreshSetting: Sendable, Hashable {
    case always, never
    /// At the latest when it is so old.
    case after(Duration)
}

/// What happens to areas whose map or services have lost something that apps may rely on.
public enum DriftPolicy: String, Codable, Sendable, CaseIterable {
    /// Nothing is started.
    case stop
    /// The area keeps its last good map.
    case skip
    /// The change is noted, and the map made.
    case accept
}
