import Basics
import Execution
import Foundation
import Manifest
import Planning
import Reporting
import Scheduling

/// `status`: the state file and nothing else; no lock, no network.
struct StatusReader {
    let manifest: Manifest
    let stateDirectory: String

    func callAsFunction() async throws(Failure) -> [AreaStatus] {
        let path = stateDirectory + "/state.db"
        guard Files.exists(path) else { return areaIDs(of: nil).map { AreaStatus(area: $0, lastSuccess: nil) } }
        let summary: StateSummary
        do throws(SQLiteError) {
            let store = try await offPool { () throws(SQLiteError) in try SQLiteStateStore(readingPath: path) }
            summary = try await store.status()
        } catch {
            throw Failure(state: error)
        }
        return areaIDs(of: summary).map { status(of: $0, summary) }
    }

    /// When the newest run of all areas began that ended well.
    func lastGoodRun() async throws(Failure) -> Date? {
        let path = stateDirectory + "/state.db"
        guard Files.exists(path) else { return nil }
        do throws(SQLiteError) {
            let store = try await offPool { () throws(SQLiteError) in try SQLiteStateStore(readingPath: path) }
            return try await store.lastGoodRun(of: manifest.name).map { Date(timeIntervalSince1970: Double($0) / 1000) }
        } catch {
            throw Failure(state: error)
        }
    }

    /// Areas of the manifest, then those that were published once: an area that comes from a service's layer is known only so.
    private func areaIDs(of summary: StateSummary?) -> [String] {
        var ids = manifest.areas.compactMap { source -> String? in
            if case .shape = source.place { source.id } else { nil }
        }
        for publication in summary?.publications ?? [] where !ids.contains(publication.area) { ids.append(publication.area) }
        return ids
    }

    private func status(of area: String, _ summary: StateSummary) -> AreaStatus {
        let publication = summary.publications.first { $0.area == area }
        let jobs = summary.lastRun?.jobs.filter { $0.key.hasPrefix(area + "/") }.values.map { $0 } ?? []
        func date(_ time: Timestamp) -> Date { Date(timeIntervalSince1970: Double(time) / 1000) }
        let layers = summary.layers.filter { $0.area == area }.map {
            AreaStatus.Layer(id: $0.label.id, title: $0.label.title, lastSuccess: $0.checked > 0 ? date($0.checked) : nil)
        }
        return AreaStatus(
            area: area, lastSuccess: publication.map { date($0.checked) },
            generation: publication?.generation, pendingJobs: jobs.count { !$0.isFinal },
            failedJobs: jobs.count { if case .failed = $0 { true } else { false } }, layers: layers)
    }
}
