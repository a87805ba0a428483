import Basics
import Manifest
import Planning
import Reporting
import Synchronization

/// The end of `run`: the report to its file, the summary to standard output, the outcome to the shell.
struct RunEnding {
    let call: Invocation
    /// nil when it is invalid.
    let manifest: Manifest?

    func callAsFunction(_ report: RunReport) -> Outcome {
        var report = report
        let path = reportPath(report)
        var written: String?
        if let path {
            do throws(SystemError) {
                try ReportWriter.write(report, to: path)
                written = path
            } catch {
                // The maps may be good; but whoever relies on the report must learn that it is not there.
                call.environment.errors.write(lines: ["\(path) cannot be written: \(error.call): \(error.message)"])
                if report.outcome == .ok {
                    report.outcome = .storage
                    report.exitCode = Outcome.storage.exitCode
                }
            }
        }
        if manifest != nil { say(report, written) }
        if call.arguments.has("json") { call.environment.output.write(ReportWriter.json(report).serialized(.indented) + "\n") }
        return report.outcome
    }

    private func say(_ report: RunReport, _ written: String?) {
        let isQuiet = call.arguments.has("quiet")
        let page = isQuiet ? call.errorPage : call.page
        let summary = SummaryText(report: report, page: page, reportPath: written, command: call.commandLine)
        if isQuiet {
            call.environment.errors.write(lines: summary.quietLines)
        } else if !call.arguments.has("json") {
            call.environment.output.write(lines: summary.lines)
        }
    }

    /// A run that found another one at work must leave that one's report alone; one without a manifest knows no folder.
    private func reportPath(_ report: RunReport) -> String? {
        if let given = call.arguments.value("report") { return call.path(given) }
        guard let manifest, report.outcome != .locked else { return nil }
        return Paths.join(call.path(manifest.output.directory), "report.json")
    }
}

/// Passes events on, and sees to it that every run ends with `runFinished`, exactly once, however early it was stopped.
final class EndObserver: RunObserver {
    private let inner: any RunObserver
    private let hasEnded = Mutex(false)

    init(_ inner: any RunObserver) { self.inner = inner }

    func on(_ event: RunEvent) {
        if case .runFinished(let report) = event { return end(with: report) }
        inner.on(event)
    }

    func end(with report: RunReport) {
        let isFirst = hasEnded.withLock { ended in
            defer { ended = true }
            return !ended
        }
        if isFirst { inner.on(.runFinished(report)) }
    }
}
