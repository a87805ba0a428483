import Basics
import Foundation

/// How text for people is to be laid out: the width, the colours, the zone of the clock.
public struct Page: Sendable {
    /// Columns of the terminal; nil when the text goes to a file or pipe.
    public var width: Int?
    public var ink: Ink
    public var zone: TimeZone
    /// Everything in full (`-v`).
    public var isVerbose: Bool

    public init(width: Int? = nil, ink: Ink = .plain, zone: TimeZone = .ofMachine, isVerbose: Bool = false) {
        self.width = width
        self.ink = ink
        self.zone = zone
        self.isVerbose = isVerbose
    }

    /// Where running text is wrapped.
    var textWidth: Int { max(40, min(width ?? 100, 120)) }
}
