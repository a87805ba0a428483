import Basics
import Foundation
import TestSupport

/// What a killed process left: the progress in a copy of its state, so that looking changes nothing, and its receipts.
struct StateSnapshot {
    /// Ids of jobs whose request may have been on its way.
    var submitting: Set<String> = []
    /// Paths of results that were to be fetched.
    var ready: Set<String> = []
    /// Paths of results that were here whole, whether proven or not.
    var received: Set<String> = []
    /// The newest.
    var run = 0
    /// All jobs of the run are done: the next run is another night.
    var isComplete = false
    /// Bytes of each result that were there.
    var here: [String: Int] = [:]
    /// As many as its record says were flushed.
    var flushed: [String: Int] = [:]

    /// - Parameter boot: the life of the machine; what an earlier one left unflushed is no bytes of the result. nil: there was one only.
    init(_ folder: String, boot: String? = nil) throws {
        guard Files.exists(folder + "/state.db") else { return }
        let copy = try TemporaryFolder()
        for suffix in ["", "-wal"] where Files.exists(folder + "/state.db" + suffix) {
            try Files.copy(folder + "/state.db" + suffix, to: copy.file("state.db" + suffix))
        }
        let state = try SQLiteConnection(path: copy.file("state.db"))
        guard try state.value("SELECT count(*) FROM sqlite_master WHERE name = 'jobs'")?.int == 1 else { return }
        let rows = try state.rows("SELECT id, state, progress, key FROM jobs WHERE run = (SELECT max(id) FROM runs)")
        run = try state.value("SELECT max(id) FROM runs")?.int ?? 0
        isComplete = !rows.isEmpty && rows.allSatisfy { $0[1].text == "done" }
        for row in rows {
            guard let id = row[0].text, let word = row[1].text, let progress = row[2].text, let key = row[3].text else {
                continue
            }
            if word == "submitting" { submitting.insert(id) }
            if word == "ready", let url = try JSON.parse(progress)["ready"]?["resultURL"]?.string {
                let (path, file) = (Self.path(url), "\(folder)/partial/\(key).download")
                ready.insert(path)
                let size = (try? Files.size(file)) ?? 0
                let record = String(decoding: (try? Files.read(file + ".record")) ?? [], as: UTF8.self)
                let match = record.prefixMatch(of: /flushed (\d+) (\S+)/)
                let safe = match.flatMap { Int($0.1) } ?? 0
                flushed[path] = safe
                here[path] = boot == nil || match.map { String($0.2) } == boot ? size : min(size, safe)
            }
        }
        for name in (try? Files.list(folder + "/partial")) ?? [] where name.hasSuffix(".receipt") {
            if let url = try JSON.parse(Files.read(folder + "/partial/" + name))["url"]?.string {
                received.insert(Self.path(url))
            }
        }
    }

    /// As the journal writes it: without a signature.
    private static func path(_ url: String) -> String { URL(string: url)?.path ?? url }
}
