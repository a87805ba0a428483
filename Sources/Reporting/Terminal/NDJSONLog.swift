import Basics
import Foundation
import Planning

/// `--log-format json`: one JSON object a line with `time` (UTC), `level`, `event`, and what belongs to the event.
public struct NDJSONLog: RunObserver {
    private let output: TextOutput
    /// `--quiet`: only warnings and errors.
    private let onlyProblems: Bool
    private let now: @Sendable () -> Date

    public init(output: TextOutput, onlyProblems: Bool = false, now: @escaping @Sendable () -> Date = { Date() }) {
        self.output = output
        self.onlyProblems = onlyProblems
        self.now = now
    }

    public func on(_ event: RunEvent) {
        let record = Self.record(of: event, at: now())
        if onlyProblems && record["level"] == "info" { return }
        output.write(record.serialized() + "\n")
    }

    static func record(of event: RunEvent, at date: Date) -> JSON {
        var record: JSON = ["time": .string(ISOTime.text(date, milliseconds: true)), "level": "info"]
        func put(_ name: String, job: String? = nil, level: String? = nil, _ members: [(String, JSON)] = []) {
            if let level { record["level"] = .string(level) }
            record["event"] = .string(name)
            if let job { record["job"] = .string(job) }
            for (key, value) in members { record[key] = value }
        }
        switch event {
        case .runStarted(let name, let jobs): put("runStarted", [("name", .string(name)), ("jobs", JSON(jobs.count))])
        case .resumed(let finished): put("resumed", [("finishedJobs", JSON(finished))])
        case .jobStarted(let id): put("jobStarted", job: id)
        case .jobSubmitted(let id, let reattached): put("jobSubmitted", job: id, [("reattached", .bool(reattached))])
        case .jobStatus(let id, let status): put("jobStatus", job: id, [("status", .string(Wording.clean(status)))])
        case .jobProgress(let id, let bytes, let total):
            put("jobProgress", job: id, [("bytes", JSON(bytes)), ("total", total.map { JSON($0) } ?? .null)])
        case .jobRetrying(let id, let after, let failure):
            put(
                "jobRetrying", job: id, level: "warning",
                [("afterSeconds", .number(after.seconds)), ("error", ErrorJSON.json(failure))])
        case .jobWarning(let id, let message):
            put("jobWarning", job: id, level: "warning", [("message", .string(Wording.clean(message)))])
        case .jobFinished(let report): put("jobFinished", job: report.id, level: level(of: report), members(of: report))
        case .areaPublished(let area):
            put(
                "areaPublished",
                [
                    ("area", .string(area.id)), ("state", .string(area.state.rawValue)),
                    ("generation", area.generation.map(JSON.string) ?? .null), ("bytes", JSON(area.bytes)),
                ])
        case .stopping(let signal): put("stopping", level: "warning", [("signal", JSON(signal))])
        case .note(let text): put("note", [("message", .string(Wording.clean(text)))])
        case .notified(let notice):
            put(
                "notified", level: notice.problem == nil ? nil : "warning",
                [
                    ("channel", .string(notice.channel.rawValue)),
                    ("problem", notice.problem.map { .string(Wording.clean($0)) } ?? .null),
                ])
        case .runFinished(let report):
            put(
                "runFinished", level: report.outcome == .ok ? nil : "error",
                [
                    ("outcome", .string(report.outcome.rawValue)), ("exitCode", JSON(report.exitCode)),
                    ("error", report.error.map { ErrorJSON.json($0) } ?? .null),
                ])
        }
        return record
    }

    private static func level(of report: JobReport) -> String? {
        switch report.state {
        case .failed: "error"
        case .skipped: "warning"
        case .done, .reused, .pending, .unchanged: nil
        }
    }

    private static func members(of report: JobReport) -> [(String, JSON)] {
        var members: [(String, JSON)] = [
            ("area", .string(report.area)), ("layers", .array(report.layers.map { .string($0.title) })),
            ("state", .string(report.state.rawValue)), ("reason", .string(report.reason)), ("attempts", JSON(report.attempts)),
            ("bytes", JSON(report.bytes)),
            ("seconds", .number(report.seconds)),
        ]
        if let error = report.error { members.append(("error", ErrorJSON.json(error, job: report))) }
        return members
    }
}
