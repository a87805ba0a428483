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
        if Files.isAbsent(path) { return areaIDs(of: nil).map { AreaStatus(area: $0, lastSuccess: nil) } }
        let summary: StateSummary
        do throws(SQLiteError) {
            let store = try await offPool { () throws(SQLiteError) in try SQLiteStateStore(readingPath: path) }
            summary = try await store.status()
        } catch {
            throw Failure(state: error)
        }
        // A job's id begins with its area.
        let jobs = Dictionary(grouping: summary.lastRun?.jobs ?? [:]) { String($0.key.prefix { $0 != "/" }) }
        let layers = Dictionary(grouping: summary.layers, by: \.area)
        let publications = Dictionary(summary.publications.map { ($0.area, $0) }) { first, _ in first }
        return areaIDs(of: summary).map { area in
            var status = status(of: area, publications[area], (jobs[area] ?? []).map { $0.value }, layers[area] ?? [])
            status.isOfManifest = isOfManifest(area, summary)
            return status
        }
    }

    /// When the newest run of all areas began that ended well.
    func lastGoodRun() async throws(Failure) -> Date? {
        let path = stateDirectory + "/state.db"
        if Files.isAbsent(path) { return nil }
        do throws(SQLiteError) {
            let store = try await offPool { () throws(SQLiteError) in try SQLiteStateStore(readingPath: path) }
            return try await store.lastGoodRun(of: manifest.name).map { Date(timeIntervalSince1970: Double($0) / 1000) }
        } catch {
            throw Failure(state: error)
        }
    }

    /// Areas whose maps this manifest made and has no more.
    func retiredAreas() async -> [String] {
        let path = stateDirectory + "/state.db"
        guard !Files.isAbsent(path),
            let store = try? await offPool({ () throws(SQLiteError) in try SQLiteStateStore(readingPath: path) }),
            let known = try? await store.status().areas[manifest.name]
        else { return [] }
        let ids = Set(areaIDs(of: nil)).union(known)
        return await offPool { () throws(Never) in
            RetiredAreas(in: manifest.output.directory, of: manifest.name, besides: ids).areas
        }
    }

    /// Areas of the manifest, then those that were published once: an area that comes from a service's layer is known only so.
    private func areaIDs(of summary: StateSummary?) -> [String] {
        let ids = manifest.areas.compactMap { source -> String? in
            if case .shape = source.place { source.id } else { nil }
        }
        var seen: Set<String> = []
        return (ids + (summary?.publications ?? []).map(\.area)).filter { seen.insert($0).inserted }
    }

    /// Maps of areas that were taken out of the manifest, and of other manifests that share the folder, are there as well.
    private func isOfManifest(_ area: String, _ summary: StateSummary) -> Bool {
        guard let known = summary.areas[manifest.name] else { return true }
        return known.contains(area)
            || manifest.areas.contains { source in
                if case .shape = source.place { source.id == area } else { false }
            }
    }

    private func status(
        of area: String, _ publication: StateSummary.Publication?, _ jobs: [JobProgress], _ layers: [StateSummary.Layer]
    ) -> AreaStatus {
        func date(_ time: Timestamp) -> Date { Date(timeIntervalSince1970: Double(time) / 1000) }
        return AreaStatus(
            area: area, lastSuccess: publication.map { date($0.checked) },
            generation: publication?.generation, pendingJobs: jobs.count { !$0.isFinal },
            failedJobs: jobs.count { if case .failed = $0 { true } else { false } },
            layers: layers.map {
                AreaStatus.Layer(id: $0.label.id, title: $0.label.title, lastSuccess: $0.checked > 0 ? date($0.checked) : nil)
            })
    }
}
