import Basics
import Foundation

/// A GitHub Actions workflow. It runs on a machine of one's own: maps and state must outlive the run, and services are often
/// inside a company's network.
struct GitHubWorkflow {
    let job: NightlyJob
    /// Of the person who asks: the clock of GitHub is UTC.
    var zone: TimeZone
    var now: Date
    /// Path of the manifest in its repository.
    var manifest: String

    var files: [ScheduleFile] { [ScheduleFile(name: job.unit + ".yml", text: text)] }

    private var text: String {
        let moment = job.at.next(after: now, in: zone)
        let utc = Int(moment.timeIntervalSince1970) / 60 % (24 * 60)
        return """
            # The nightly run of \(Self.plain(job.title)), made by `offline-batch schedule --github`. Put it into .github/workflows.
            # The runner is a machine of yours with the label offline-batch, with offline-batch installed: maps and state stay there
            # between nights. The manifest's output folder must lie outside of the checkout (an absolute `output.directory`).
            name: \(Self.text("Offline maps: \(job.title)"))

            on:
              schedule:
                # UTC; \(job.at.text) in \(zone.identifier) on \(Self.day(moment, zone)). GitHub knows no local time.
                - cron: "\(utc % 60) \(utc / 60) * * *"
              workflow_dispatch:

            permissions:
              contents: read

            concurrency:
              group: \(Self.text(job.unit))
              cancel-in-progress: false

            jobs:
              run:
                runs-on: [self-hosted, offline-batch]
                timeout-minutes: \(job.longest / 60)
                steps:
                  - uses: actions/checkout@v4
            \(credentials)      - name: Take the maps offline
                    run: \(Self.text(command))
            \(environment)      - name: Check that every map is young enough
                    if: always()
                    run: \(Self.text("offline-batch status --max-age 36h \(Self.word(manifest))"))
                  - name: Keep the report
                    if: always()
                    uses: actions/upload-artifact@v4
                    with:
                      name: report
                      path: \(Self.text(Paths.join(job.output, "report.json")))
                      if-no-files-found: warn

            """
    }

    private var command: String {
        // Without --once-a-day: UTC has no hour twice, and who starts the workflow by hand wants a run.
        let options = ["run"] + (job.finishBy.map { ["--finish-by", $0.text] } ?? [])
        return (["offline-batch"] + options + [manifest]).map(Self.word).joined(separator: " ")
    }

    /// Secrets of the repository become files that only the runner's account can read.
    private var credentials: String {
        if job.needs.credentials.isEmpty { return "" }
        let names = job.needs.credentials
        let values = names.map { "          SECRET_\(Self.secretName($0)): ${{ secrets.\(Self.secretName($0)) }}\n" }.joined()
        let lines = names.map { name in
            "          printf '%s' \"$SECRET_\(Self.secretName(name))\" > \"$RUNNER_TEMP/credentials/\(name)\"\n"
        }
        return "      - name: Hand over the credentials\n        env:\n" + values
            + "        run: |\n          umask 077\n          mkdir -p \"$RUNNER_TEMP/credentials\"\n" + lines.joined()
    }

    private var environment: String {
        var lines = job.needs.variables.map { "          \($0): ${{ secrets.\($0) }}\n" }
        if !job.needs.credentials.isEmpty {
            lines.append("          CREDENTIALS_DIRECTORY: ${{ runner.temp }}/credentials\n")
        }
        return lines.isEmpty ? "" : "        env:\n" + lines.joined()
    }

    /// Letters, digits and underscores are all that a secret's name may have.
    private static func secretName(_ name: String) -> String {
        let plain = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }).uppercased()
        return plain.first?.isNumber == true ? "_" + plain : plain
    }

    /// JSON text is YAML text; braces of GitHub's own expressions in names are taken apart.
    private static func text(_ text: String) -> String {
        JSON.string(plain(text)).serialized()
    }

    /// Of one line, and without what GitHub would evaluate.
    private static func plain(_ text: String) -> String {
        var scalars = String(text.map { $0.isNewline ? " " : $0 }).unicodeScalars
        scalars.replace("${{".unicodeScalars, with: "$ {{".unicodeScalars)
        return String(scalars)
    }

    private static func word(_ word: String) -> String {
        let isSafe = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,@%+".contains($0)) }
        return isSafe && !word.isEmpty ? word : "'" + word.escaping(["'": "'\\''"]) + "'"
    }

    private static func day(_ moment: Date, _ zone: TimeZone) -> String {
        let day = LocalDay(of: moment, in: zone)
        return "\(day.year)-\(day.month < 10 ? "0" : "")\(day.month)-\(day.day < 10 ? "0" : "")\(day.day)"
    }
}
