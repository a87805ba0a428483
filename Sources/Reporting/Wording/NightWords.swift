import Foundation

/// What a run says about its time.
extension Wording {
    public static func finishing(by time: Date, in zone: TimeZone) -> String {
        "this run finishes by \(Moment.local(time, in: zone)); the oldest maps come first"
    }

    public static func doneToday(_ name: String, began: Date, in zone: TimeZone) -> String {
        "\(name): today's run began at \(Moment.local(began, in: zone)) and ended well; without --once-a-day it would run again"
    }
}
