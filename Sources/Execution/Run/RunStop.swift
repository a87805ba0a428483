import Basics
import Foundation
import Glibc
import Planning

/// What ends a run, or another command that needs its lock, before or besides its jobs.
public struct RunStop: Error {
    public var outcome: Outcome
    public var failure: Failure
    public var problems: [PlanProblem] = []

    /// A failure of the local disk or of the state.
    init(_ failure: Failure) {
        outcome = .storage
        self.failure = failure
    }

    init(_ refusal: PlanRefusal) {
        outcome = refusal.outcome
        problems = refusal.problems
        failure =
            refusal.problems.first?.failure
            ?? Failure(phase: .plan, kind: .internal, message: "the plan was refused without a reason")
    }

    init(_ error: RunLock.LockError) {
        switch error {
        case .system(let error): self.init(Failure(.state, error))
        case .held(let holder):
            self.init(
                Failure(
                    phase: .state, kind: .transient, message: "another run owns this output",
                    details: holder.map { ["process \($0.pid) on \($0.host), since \($0.started.formatted(.iso8601))"] } ?? []))
            outcome = .locked
        }
    }

    init(signal: Int32) {
        outcome = signal == SIGTERM ? .terminated : .interrupted
        failure = Failure(phase: .plan, kind: .cancelled, message: "stopped by signal \(signal) before anything was started")
    }
}
