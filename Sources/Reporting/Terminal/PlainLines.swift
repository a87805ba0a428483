import Basics
import Foundation
import Planning
import Synchronization

/// One line an event for logs, cron mails and dumb terminals: nothing moves, nothing is coloured. Progress is a line of
/// totals at most every ten seconds. Clock times are local.
public final class PlainLines: RunObserver {
    private struct State {
        var model = ProgressModel()
        var saidAt = -Double.infinity
    }

    static let interval = 10.0

    private let state = Mutex(State())
    private let output: TextOutput
    private let zone: TimeZone
    private let isVerbose: Bool
    private let now: @Sendable () -> Date

    public init(
        output: TextOutput, zone: TimeZone = .ofMachine, isVerbose: Bool = false, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.output = output
        self.zone = zone
        self.isVerbose = isVerbose
        self.now = now
    }

    public func on(_ event: RunEvent) {
        let date = now()
        state.withLock { state in
            let time = date.timeIntervalSince1970
            state.model.on(event, at: time)
            if case .runStarted = event { state.saidAt = time }
            var line = Wording.line(for: event, isVerbose: isVerbose)
            if line == nil, isProgress(event), time - state.saidAt >= Self.interval {
                line = state.model.headline(at: time)
                state.saidAt = time
            }
            if let line { output.write("\(Moment.clock(date, in: zone)) \(line)\n") }
        }
    }

    private func isProgress(_ event: RunEvent) -> Bool {
        switch event {
        case .jobStarted, .jobSubmitted, .jobStatus, .jobProgress: true
        default: false
        }
    }
}
