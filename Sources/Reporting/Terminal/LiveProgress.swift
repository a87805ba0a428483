import Foundation
import Planning
import Synchronization

/// A few lines at the end of the terminal that change in place, at most ten times a second; what matters for good (failures,
/// retries, published areas) is printed above them and stays. When the run ends the lines are cleared.
public final class LiveProgress: RunObserver {
    private struct State {
        var model = ProgressModel()
        var drawnLines = 0
        var drawnAt = -Double.infinity
        var hasStarted = false
        var hasEnded = false
    }

    static let interval = 0.1

    private let state = Mutex(State())
    private let output: TextOutput
    private let ink: Ink
    private let isVerbose: Bool
    private let width: @Sendable () -> Int
    /// Seconds on a clock that only goes forward.
    private let now: @Sendable () -> Double

    public init(
        output: TextOutput, ink: Ink, isVerbose: Bool = false, width: @escaping @Sendable () -> Int = { 80 },
        now: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }
    ) {
        self.output = output
        self.ink = ink
        self.isVerbose = isVerbose
        self.width = width
        self.now = now
    }

    public func on(_ event: RunEvent) {
        let startsClock = state.withLock { state in
            state.model.on(event, at: now())
            if case .runFinished = event { state.hasEnded = true }
            let kept =
                keeps(event) ? Wording.line(for: event, isVerbose: isVerbose).map { [ink($0, Wording.colour(of: event))] } : nil
            draw(&state, above: kept ?? [])
            defer { state.hasStarted = true }
            return !state.hasStarted
        }
        if startsClock { startClock() }
    }

    /// Good news moves the counters; it does not need a line of its own, except on request.
    private func keeps(_ event: RunEvent) -> Bool {
        switch event {
        case .runStarted: false
        case .jobFinished(let report): isVerbose || report.state == .failed
        default: true
        }
    }

    /// Elapsed times grow while no event comes. The task ends with the run or with the observer.
    private func startClock() {
        Task.detached { [weak self] in
            while let self, self.tick() { try? await Task.sleep(for: .milliseconds(250)) }
        }
    }

    private func tick() -> Bool {
        state.withLock { state in
            draw(&state, above: [])
            return !state.hasEnded
        }
    }

    /// One write a drawing, so that nothing flickers: back over the old lines, clear, the lasting lines, the new lines.
    private func draw(_ state: inout State, above lasting: [String]) {
        let time = now()
        guard !lasting.isEmpty || state.hasEnded || time - state.drawnAt >= Self.interval else { return }
        // A full last column would make some terminals wrap.
        let lines = state.hasEnded ? [] : state.model.lines(at: time, width: max(20, width() - 1))
        guard state.drawnLines > 0 || !lasting.isEmpty || !lines.isEmpty else { return }
        let erase = state.drawnLines > 0 ? "\u{1B}[\(state.drawnLines)A\r\u{1B}[J" : ""
        output.write((lasting + lines).map { $0 + "\n" }.joined(), after: erase)
        state.drawnLines = lines.count
        state.drawnAt = time
    }
}
