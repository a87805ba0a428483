import Foundation
import Planning

/// Numbers for Prometheus, in its text format 0.0.4, for the textfile collector of the node exporter.
public enum Metrics {
    private struct Family {
        var name: String
        var help: String
        var samples: [(labels: [(String, String)], value: Double)]
    }

    public static func text(_ report: RunReport) -> String {
        let manifest = ("manifest", report.name)
        func family(_ name: String, _ help: String, _ samples: [([(String, String)], Double)]) -> Family {
            Family(name: "offline_batch_" + name, help: help, samples: samples.map { (labels: [manifest] + $0.0, value: $0.1) })
        }
        func time(_ date: Date) -> Double { date.timeIntervalSince1970.rounded(.down) }
        let isGood = report.outcome == .ok
        let families = [
            family("run_success", "1 when the last run ended with ok.", [([], isGood ? 1 : 0)]),
            family("run_exit_code", "Exit code of the last run.", [([], Double(report.exitCode))]),
            family("run_start_timestamp_seconds", "When the last run began.", [([], time(report.started))]),
            family("run_end_timestamp_seconds", "When the last run ended.", [([], time(report.finished))]),
            family(
                "jobs", "Jobs of the last run by state.",
                JobReport.State.worstFirst.map { state in
                    ([("state", state.rawValue)], Double(report.jobs.count { $0.state == state }))
                }),
            family(
                "fetched_bytes", "Bytes of the files that the last run brought.",
                [([], Double(report.jobs.filter { $0.state == .done && $0.kind.brings }.reduce(0) { $0 + $1.bytes }))]),
            family(
                "area_last_success_timestamp_seconds",
                "When the current map of an area was published, or last found unchanged; absent without a map.",
                report.areas.compactMap { area in area.lastSuccess.map { ([("area", area.id)], time($0)) } }),
            family(
                "area_success", "1 when the last run published the area whole, or found it unchanged.",
                report.areas.map { ([("area", $0.id)], $0.standing.tone == .good ? 1 : 0) }),
            family(
                "area_bytes", "Size of the current map of an area.",
                report.areas.map { ([("area", $0.id)], Double($0.bytes)) }),
            family(
                "area_failed_layers", "Layers of an area that the last run could not bring.",
                report.areas.map { area in
                    ([("area", area.id)], Double(report.layers.count { $0.area == area.id && $0.isFailing }))
                }),
        ]
        return families.map(text).joined()
    }

    private static func text(_ family: Family) -> String {
        if family.samples.isEmpty { return "" }
        return "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) gauge\n"
            + family.samples.map { sample in
                let labels = sample.labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
                return "\(family.name){\(labels)} \(number(sample.value))\n"
            }.joined()
    }

    private static func number(_ value: Double) -> String { value == value.rounded() ? String(Int(value)) : String(value) }

    private static func escaped(_ text: String) -> String {
        Wording.clean(text).escaping(["\\": "\\\\", "\"": "\\\""])
    }
}

extension Job.Kind {
    /// It brings a file from a server.
    var brings: Bool { self != .package && self != .publish }
}
