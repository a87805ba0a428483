import Basics
import Foundation
import TestSupport
import Testing

/// What the journal says about server jobs and their files.
extension PortalProcess {
    /// Every request for a new server job.
    var submissions: [Request] { journal.filter(\.isSubmission) }

    func submissions(of operation: String) -> [Request] { submissions.filter { $0.path.hasSuffix(operation) } }

    /// Every request for a result file.
    var downloads: [Request] { journal.filter(\.isDownload) }
}

extension PortalProcess.Request {
    var isSubmission: Bool { method == "POST" && (path.hasSuffix("/createReplica") || path.hasSuffix("/exportTiles")) }
    var isDownload: Bool { method == "GET" && [".geodatabase", ".tpkx", ".vtpk"].contains { path.hasSuffix($0) } }
}

/// What a run left: its exit code and its report.
struct Verdict {
    var ending: RunningProgram.Ending
    var report: JSON

    var code: Int32 { ending.code }
    func job(_ id: String) -> JSON? { report["jobs"]?.array?.first { $0["id"]?.string == id } }
    func state(_ id: String) -> String? { job(id)?["state"]?.string }
    func error(_ id: String) -> JSON? { job(id)?["error"] }

    /// Jobs by state; they must add up to the number that the report names.
    var counts: [String: Int] {
        (report["jobs"]?.array ?? []).reduce(into: [:]) { $0[$1["state"]?.string ?? "", default: 0] += 1 }
    }
}

extension Workspace {
    /// One area of the water network with few tiles, so that faults are met soon.
    static func water(areas: Int = 1, extra: String = "") -> String {
        let places = [
            "{ id: downtown, envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 } }",
            "{ id: riverwalk, envelope: { xmin: -88.150, ymin: 41.765, xmax: -88.130, ymax: 41.780 } }",
        ]
        return """
            version: 1
            name: water
            webMap: acc027394bc84c2fb04d1ed317aac674
            areas: [\(places.prefix(areas).joined(separator: ", "))]
            scale: { min: 40000, max: 20000 }
            output: { directory: out, keep: 2 }
            \(extra)
            """
    }

    func verdict(_ ending: RunningProgram.Ending) throws -> Verdict {
        Verdict(ending: ending, report: try json("out/report.json"))
    }

    /// `run manifest.yaml` to its end.
    func run() async throws -> Verdict { try verdict(try await run("run", "manifest.yaml")) }

    /// A night on which everything comes anew, whether or not it changed.
    func refresh() async throws -> Verdict { try verdict(try await run("run", "--refresh", "manifest.yaml")) }

    func startRefresh() throws -> RunningProgram {
        try start(["run", "--refresh", "--log-format", "json", "manifest.yaml"])
    }

    func startRun() throws -> RunningProgram { try start(["run", "--log-format", "json", "manifest.yaml"]) }
}

extension PortalProcess {
    /// A portal in which things go wrong as the rules say.
    static func faulty(_ rules: String, _ flags: String...) async throws -> PortalProcess {
        try await PortalProcess(flags: flags, faults: rules)
    }
}

/// Waits until something is so; half a minute is far more than it takes.
func eventually(_ what: String, _ isSo: () throws -> Bool) async throws {
    for _ in 0..<3000 {
        if try isSo() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("it never happened that \(what)")
}
