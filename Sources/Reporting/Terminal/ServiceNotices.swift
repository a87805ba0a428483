import Planning
import Synchronization

/// Tells a service manager how a run gets on, in its own words (`STATUS=`, `STOPPING=1`); `systemctl status` shows it.
public final class ServiceNotices: RunObserver {
    private struct State {
        var model = ProgressModel()
        var last = ""
    }

    private let state = Mutex(State())
    private let send: @Sendable ([String]) -> Void

    public init(send: @escaping @Sendable ([String]) -> Void) { self.send = send }

    /// Before the first request: whoever waits for the start need not wait for the plan.
    public func ready() { send(["READY=1", "STATUS=planning"]) }

    public func on(_ event: RunEvent) {
        let lines = state.withLock { state -> [String] in
            state.model.on(event, at: 0)
            switch event {
            case .runStarted, .jobFinished, .jobStarted: break
            case .stopping: return ["STOPPING=1", "STATUS=" + state.model.standing]
            case .runFinished(let report):
                return ["STOPPING=1", "STATUS=\(report.outcome.rawValue): \(Wording.words(for: report.outcome))"]
            default: return []
            }
            let standing = state.model.standing
            if standing == state.last { return [] }
            state.last = standing
            return ["STATUS=" + standing]
        }
        if !lines.isEmpty { send(lines) }
    }
}

/// Passes every event to several observers, in order.
public struct RunObservers: RunObserver {
    private let observers: [any RunObserver]

    public init(_ observers: [any RunObserver]) { self.observers = observers }

    public func on(_ event: RunEvent) { for observer in observers { observer.on(event) } }
}
