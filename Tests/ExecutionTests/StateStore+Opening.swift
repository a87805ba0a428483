import Basics
import Planning
import Scheduling

@testable import Execution

extension StateStore {
    /// As a run opens it that finds nothing unchanged.
    func openRun(_ plan: Plan, isWhole: Bool, now: Timestamp) async throws(SQLiteError) -> RunRecord {
        try await openRun(
            plan, hash: plan.hash, continuing: try await resumableRun(of: plan.name, now: now), known: [:], isWhole: isWhole,
            now: now)
    }
}
