import Planning

extension Wording {
    /// One line for an event that a person wants to see go by; nil for those that only move the progress display.
    /// `isVerbose` adds starts, submissions and the server's status words.
    public static func line(for event: RunEvent, isVerbose: Bool = false) -> String? {
        switch event {
        case .runStarted(let name, let jobs): "\(name): \(Quantity.count(jobs.count, "job"))"
        case .resumed(let finished):
            "Going on where the last run stopped: \(Quantity.count(finished, "job")) \(finished == 1 ? "is" : "are") already finished"
        case .jobStarted(let id): isVerbose ? "\(id): started" : nil
        case .jobSubmitted(let id, let reattached):
            reattached
                ? "\(id): found its server job again, nothing was submitted twice"
                : isVerbose ? "\(id): accepted by the server" : nil
        case .jobStatus(let id, let status): isVerbose ? "\(id): \(clean(status))" : nil
        case .jobProgress: nil
        case .jobRetrying(let id, let after, let failure):
            "\(id): trying again in \(Quantity.duration(after.seconds)): \(summary(of: failure))"
        case .jobWarning(let id, let message): "\(id): warning: \(clean(message))"
        case .jobFinished(let report): report.state == .unchanged && !isVerbose ? nil : line(for: report)
        case .areaPublished(let area):
            area.generation.map { "\(area.id): \(words(for: area.state)), \($0)" } ?? "\(area.id): \(words(for: area.state))"
        case .stopping: "Stopping: nothing new is started, the state is being saved; a second signal stops at once"
        case .note(let text): clean(text)
        case .notified(let notice):
            notice.problem.map { "notify.\(notice.channel.key): \(clean($0))" }
                ?? (isVerbose ? "notify.\(notice.channel.key): told" : nil)
        case .runFinished: nil
        }
    }

    private static func line(for report: JobReport) -> String {
        switch report.state {
        case .done where report.bytes > 0:
            "\(report.id): done, \(Quantity.bytes(report.bytes)) in \(Quantity.duration(report.seconds))"
        case .done: "\(report.id): done in \(Quantity.duration(report.seconds))"
        case .failed: "\(report.id): failed, \(report.error.map(summary) ?? "for an unknown reason")"
        case .skipped: "\(report.id): skipped, \(report.error.map(summary) ?? words(for: .upstream))"
        case .unchanged, .reused, .pending: "\(report.id): \(words(for: report.state))"
        }
    }

    static func colour(of event: RunEvent) -> Ink.Colour? {
        switch event {
        case .jobFinished(let report): colour(of: report.state)
        case .jobRetrying, .jobWarning, .stopping: .yellow
        case .notified(let notice): notice.problem == nil ? nil : .yellow
        case .areaPublished(let area): area.state == .published ? .green : .red
        default: nil
        }
    }
}

extension Notice.Channel {
    /// Its key in the manifest, below `notify`.
    public var key: String {
        switch self {
        case .metrics, .ping, .webhook, .mail: rawValue
        case .summary, .codeQuality: "ci.\(rawValue)"
        }
    }
}
