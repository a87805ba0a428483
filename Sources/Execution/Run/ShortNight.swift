import Basics
import Foundation
import Planning
import Scheduling

/// A plan for a night that may be too short for it: the areas whose maps are the oldest come first, and what takes too long is known
/// from earlier nights.
struct ShortNight: Sendable {
    var plan: Plan
    var window: NightWindow

    /// A state that cannot be read leaves the order as it is: the run itself will say so.
    init(plan: Plan, finishBy: Date, store: any StateStore, restored: [String: JobProgress]) async {
        let publications = ((try? await store.status())?.publications ?? []).map { ($0.area, $0.at) }
        let durations = (try? await store.durations()) ?? [:]
        self.init(
            plan: plan, finishBy: finishBy, lastSuccess: Dictionary(publications) { first, _ in first }, durations: durations,
            isDone: { if case .done = restored[$0] { true } else { false } })
    }

    /// Pure. `durations` are seconds by job.
    init(
        plan: Plan, finishBy: Date, lastSuccess: [String: Timestamp], durations: [String: Double], isDone: (String) -> Bool
    ) {
        self.plan = plan
        let jobs = Dictionary(grouping: plan.jobs, by: \.area)
        var seen: Set<String> = []
        let areas = plan.jobs.map(\.area).filter { seen.insert($0).inserted }
        self.plan.jobs = NightWindow.order(areas, lastSuccess: lastSuccess).flatMap { jobs[$0] ?? [] }
        window = NightWindow(end: finishBy.timestamp)
        for (area, jobs) in jobs {
            let open = jobs.filter { !isDone($0.id) }
            // What is fetched goes on side by side; the map is made and published after it.
            let fetched = open.filter { $0.dependsOn.isEmpty }.compactMap { durations[$0.id] }.max() ?? 0
            let made = open.filter { !$0.dependsOn.isEmpty }.compactMap { durations[$0.id] }.reduce(0, +)
            window.expected[area] = Timestamp(((fetched + made) * 1000).rounded())
        }
    }
}

extension RunReport {
    /// Seconds of the jobs that this run did from their beginning to their end.
    var durations: [String: Double] {
        jobs.filter { $0.state == .done && $0.seconds > 0 }.reduce(into: [:]) { $0[$1.id] = $1.seconds }
    }
}
