import Foundation
import Planning

/// What a run says about its time.
extension Wording {
    public static func finishing(by time: Date, in zone: TimeZone) -> String {
        "this run finishes by \(Moment.local(time, in: zone)); the oldest maps come first"
    }

    public static func doneToday(_ name: String, began: Date, in zone: TimeZone) -> String {
        "\(name): today's run began at \(Moment.local(began, in: zone)) and ended well; without --once-a-day it would run again"
    }

    /// What a night that was too short did not reach; nil when it reached everything. Names of areas are made safe.
    static func left(by report: RunReport, in zone: TimeZone) -> String? {
        guard let finishBy = report.finishBy else { return nil }
        let areas = report.areas.filter { $0.state == .notPublished }.map(\.id)
        if areas.isEmpty { return nil }
        return "Left for the next run, because this one had to finish by \(Moment.local(finishBy, in: zone)): "
            + areas.map(foreign).joined(separator: ", ")
    }
}
