import Basics
import Foundation
import Manifest
import Planning
import Reporting
import Synchronization

/// The end of `run`: the report and the morning page to their files, then the news to those who asked for them, the summary to
/// standard output, the outcome to the shell.
struct RunEnding {
    let call: Invocation
    /// nil when it is invalid.
    let manifest: Manifest?
    var observer: EndObserver?
    /// Only some areas were asked for.
    var isPartial = false

    func callAsFunction(_ outcome: RunReport) async -> Outcome {
        var report = outcome
        report.versions = OfflineBatch.versions
        var written: String?
        if let path = reportPath(outcome) {
            report = report.following(await previous(path), isPartial: isPartial, published: await published())
            written = await write(&report, to: path)
        }
        if let manifest, outcome.outcome != .locked { await tell(manifest, report, written) }
        observer?.end(with: report)
        if manifest != nil { say(report, written) }
        if call.arguments.has("json") { call.environment.output.write(ReportWriter.json(report).serialized(.indented) + "\n") }
        return report.outcome
    }

    private func previous(_ path: String) async -> RunReport? {
        await offPool { () throws(Never) in ReportWriter.read(path) }
    }

    /// When the current map of each area was published; the state knows it best.
    private func published() async -> [String: Date] {
        guard let manifest else { return [:] }
        let settings = StatusSettings(stateDirectory: call.stateDirectory(manifest))
        let areas = (try? await call.engine.status(manifest, settings)) ?? []
        return areas.filter(\.isOfManifest).reduce(into: [:]) { $0[$1.area] = $1.lastSuccess }
    }

    /// Where the report is now; nil when it could not be written.
    private func write(_ report: inout RunReport, to path: String) async -> String? {
        var written: String?
        do throws(SystemError) {
            try ReportWriter.write(report, to: path)
            written = path
        } catch {
            // The maps may be good; but whoever relies on the report must learn that it is not there.
            complain(path, error)
            if report.outcome == .ok {
                report.outcome = .storage
                report.exitCode = Outcome.storage.exitCode
            }
        }
        let page = MorningPage.path(beside: path)
        do throws(SystemError) {
            try ReportWriter.write(MorningPage(report: report, zone: call.environment.zone()).html, to: page)
        } catch {
            complain(page, error)
        }
        return written
    }

    private func tell(_ manifest: Manifest, _ report: RunReport, _ written: String?) async {
        let environment = call.environment
        if manifest.notify.ci.usesGitHub, environment.variables["GITHUB_ACTIONS"] == "true" {
            // GitHub reads both streams; the one that holds a document is left alone.
            let stream = call.arguments.has("json") ? environment.errors : environment.output
            stream.write(lines: Annotations(report: report, manifest: manifest).github)
        }
        let news = News(
            report: report, reportPath: written, variables: environment.variables, zone: environment.zone(),
            now: environment.now())
        for notice in await call.engine.notify(manifest, news) {
            observer?.on(.notified(notice))
            if call.choice.progress == .silent, let line = Wording.line(for: .notified(notice)) {
                environment.errors.write(lines: ["\(manifest.name): \(line)"])
            }
        }
    }

    private func complain(_ path: String, _ error: SystemError) {
        call.environment.errors.write(lines: ["\(path) cannot be written: \(error.call): \(error.message)"])
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

/// Passes events on, and sees to it that every run ends with `runFinished`, exactly once and last: whoever sees it finds the report on
/// the disk.
final class EndObserver: RunObserver {
    private let inner: any RunObserver
    private let hasEnded = Mutex(false)

    init(_ inner: any RunObserver) { self.inner = inner }

    func on(_ event: RunEvent) {
        if case .runFinished = event { return }
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
