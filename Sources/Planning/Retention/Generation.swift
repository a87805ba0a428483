import Foundation

/// One map of an area on the disk, as `<area>/generations/<name>` shows it without reading its files.
public struct Generation: Sendable, Hashable {
    public enum Condition: Sendable, Hashable {
        /// The inventory is readable, and each file that it lists is there with its size.
        case whole
        /// Paths below the folder that are missing or have another size.
        case damaged([String])
        /// There is no inventory that could be read, or it is another area's: whose folder this is nobody knows.
        case unknown(String)
    }

    public var area: String
    /// `20261130T021500Z`; sorts by time.
    public var name: String
    public var time: Date
    public var isCurrent: Bool
    public var condition: Condition
    /// Of the files that the inventory lists.
    public var bytes: Int
    /// Titles of layers that did not come when it was made (`onError: skip`).
    public var missingLayers: [String]

    public init(
        area: String, name: String, time: Date, isCurrent: Bool, condition: Condition, bytes: Int, missingLayers: [String] = []
    ) {
        self.area = area
        self.name = name
        self.time = time
        self.isCurrent = isCurrent
        self.condition = condition
        self.bytes = bytes
        self.missingLayers = missingLayers
    }

    public var isWhole: Bool { condition == .whole }
    /// Whole, and no layer is missing from it. One with a stale layer is complete.
    public var isComplete: Bool { isWhole && missingLayers.isEmpty }
    public var isOurs: Bool { if case .unknown = condition { false } else { true } }
    /// Below the output folder.
    public var path: String { "\(area)/generations/\(name)" }
}
