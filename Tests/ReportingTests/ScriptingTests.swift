import ArcGIS
import Basics
import Foundation
import Planning
import TestSupport
import Testing

@testable import Reporting

/// docs/scripting.md is a promise: what it says of events and metrics is what the program writes.
@Suite struct ScriptingTests {
    private static let page = SharedFiles.packageRoot + "/docs/scripting.md"

    /// One of each kind. A new kind does not compile until it has its place here, and then not until the page has it.
    private static var samples: [RunEvent] {
        let area = AreaReport(id: "a", state: .published, generation: "a/generations/1", bytes: 1)
        let all: [RunEvent] = [
            .runStarted(name: "n", jobs: []), .resumed(finishedJobs: 1), .jobStarted(id: "j"),
            .jobSubmitted(id: "j", reattached: false), .jobStatus(id: "j", status: "s"),
            .jobProgress(id: "j", bytes: 1, total: nil), .jobRetrying(id: "j", after: .seconds(1), failure: Night.failure),
            .jobWarning(id: "j", message: "m"), .jobFinished(Samples.report.jobs[2]), .areaPublished(area), .stopping(signal: 15),
            .note("n"), .notified(Notice(channel: .ping)), .runFinished(Samples.report),
        ]
        for event in all {
            switch event {
            case .runStarted, .resumed, .jobStarted, .jobSubmitted, .jobStatus, .jobProgress, .jobRetrying, .jobWarning,
                .jobFinished, .areaPublished, .stopping, .note, .notified, .runFinished:
                continue
            }
        }
        return all
    }

    /// Rows of a table: the first cell, and the words in backticks of the second.
    private static func rows(_ text: String, below heading: String) -> [(String, Set<String>)] {
        let lines = text.components(separatedBy: "\n")
        let start = lines.firstIndex { $0.hasPrefix(heading) } ?? lines.endIndex
        return lines[start...].dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
            func words(_ cell: Substring?) -> [String] { (cell ?? "").matches(of: /`([^`]+)`/).map { String($0.1) } }
            return (words(cells.first).joined(separator: " "), Set(words(cells.dropFirst().first)))
        }
    }

    @Test("The table of events has every event of --log-format json, each with exactly its members")
    func events() throws {
        let text = String(decoding: try Files.read(Self.page), as: UTF8.self)
        let rows = Self.rows(text, below: "| event |")
        let records = Self.samples.map { NDJSONLog.record(of: $0, at: Night.started) }
        #expect(rows.map(\.0) == records.compactMap { $0["event"]?.string })
        for (row, record) in zip(rows, records) {
            let members = Set(record.object?.keys ?? []).subtracting(["time", "level", "event"])
            #expect(row.1 == members, "\(row.0)")
        }
        #expect(records[0]["time"] == "2026-11-30T02:00:00.000Z" && records[0]["level"] == "info")
        let error = try #require(records[6]["error"])
        for key in error.object?.keys ?? [] { #expect(text.contains("`\(key)`"), "\(key) of error") }
    }

    @Test("The table of plan --json has every member of the plan, of its servers and of its jobs")
    func plan() throws {
        let text = String(decoding: try Files.read(Self.page), as: UTF8.self)
        var plan = Samples.plan
        plan.servers = [ServerStanding(url: "https://h", kind: .open)]
        let json = PlanJSON.json(plan)
        let rows = Self.rows(text, below: "| of |")
        for (row, found) in zip(rows, [json, json["servers"]?[0], json["jobs"]?[0], json["jobs"]?[0]?["estimate"]]) {
            #expect(row.1 == Set(found?.object?.keys ?? []), "\(row.0)")
        }
        #expect(rows.count == 4)
        for kind in ServerStanding.Kind.allCases { #expect(text.contains("`\(kind.rawValue)`"), "\(kind)") }
        for kind in ServerStanding.Account.Kind.allCases { #expect(text.contains("`\(kind.rawValue)`"), "\(kind)") }
    }

    @Test("The table of metrics has every metric")
    func metrics() throws {
        let text = String(decoding: try Files.read(Self.page), as: UTF8.self)
        let documented = Self.rows(text, below: "| metric |").flatMap { $0.0.split(separator: " ").map(String.init) }
        let written = Metrics.text(Night.report(areas: 2)).matches(of: /# TYPE ([a-z_]+) gauge/).map { String($0.1) }
        #expect(documented == written)
    }

    @Test("The table of exit codes has every outcome with its code")
    func exitCodes() throws {
        let text = String(decoding: try Files.read(SharedFiles.packageRoot + "/docs/operations.md"), as: UTF8.self)
        let table = text.components(separatedBy: "\n").drop { !$0.hasPrefix("| code |") }.prefix { $0.hasPrefix("|") }
        for outcome in Outcome.allCases where outcome != .terminated {
            let row = table.first { $0.contains("| \(outcome.rawValue) |") }
            #expect(row?.hasPrefix("| \(outcome.exitCode)") == true, "\(outcome)")
        }
        #expect(table.contains { $0.contains("130, 143") })
    }
}
