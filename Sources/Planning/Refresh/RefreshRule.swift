import Basics
import Manifest

/// How old data may become that nobody says was edited (`refresh` in the manifest).
public enum RefreshRule: Codable, Sendable, Hashable {
    /// The stamp decides; without one it is fetched every night.
    case byStamp
    /// Fetched every night, whatever the stamp says.
    case always
    /// Fetched once, and again only when other data is asked for or its file is gone, whatever the stamp says.
    case never
    /// At the latest after so many seconds; before, when the stamp moves.
    case after(seconds: Int)

    init(_ setting: RefreshSetting) {
        self =
            switch setting {
            case .always: .always
            case .never: .never
            case .after(let age): .after(seconds: age.milliseconds / 1000)
            }
    }
}

/// The more eager is the greater.
extension RefreshRule: Comparable {
    public static func < (first: RefreshRule, second: RefreshRule) -> Bool { first.eagerness < second.eagerness }

    private var eagerness: (Int, Int) {
        switch self {
        case .never: (0, 0)
        case .byStamp: (1, 0)
        case .after(let seconds): (2, -seconds)
        case .always: (3, 0)
        }
    }
}
