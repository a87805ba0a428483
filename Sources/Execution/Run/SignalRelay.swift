import Synchronization

/// Hands on the signals of a run to whoever can act on them now: the planning first, the executor later. One that came early is
/// not lost.
final class SignalRelay: Sendable {
    private struct State {
        var signal: Int32?
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let listening = Mutex<Task<Void, Never>?>(nil)
    let signals: AsyncStream<Int32>

    init(_ source: AsyncStream<Int32>) {
        let (signals, send) = AsyncStream<Int32>.makeStream()
        self.signals = signals
        // Weak: a source that never ends must not keep the relay, and what its action holds, after the run.
        let task = Task { [weak self] in
            for await number in source {
                self?.hear(number)
                send.yield(number)
            }
        }
        listening.withLock { $0 = task }
    }

    deinit { listening.withLock(\.self)?.cancel() }

    private func hear(_ number: Int32) {
        let action = state.withLock { state in
            state.signal = state.signal ?? number
            return state.action
        }
        action?()
    }

    var signal: Int32? { state.withLock(\.signal) }

    /// Called at the first signal, at once if it has come.
    func onFirst(_ action: (@Sendable () -> Void)?) {
        let hasCome = state.withLock { state in
            state.action = action
            return state.signal != nil
        }
        if hasCome { action?() }
    }
}
