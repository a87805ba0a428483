import Basics
import Manifest

/// A line for crontab(5), with what belongs around it. No lock program: a second run ends with 75 by itself.
struct CronTable {
    let job: NightlyJob

    var files: [ScheduleFile] { [ScheduleFile(name: job.unit, text: text)] }

    private var text: String {
        let fields = "\(job.at.minute) \(job.at.hour) * * *"
        // Only tables in /etc/cron.d have a column for the account.
        let user = job.user.map { " \($0)" } ?? ""
        let command = ([job.program] + job.arguments).map(Self.quoted).joined(separator: " ")
        var lines = [
            "# The nightly run of \(job.manifest), made by `offline-batch schedule --cron`.",
            job.user == nil
                ? "# Install: add it with `crontab -e` to the table of the account that is to run it."
                : "# Install as /etc/cron.d/\(job.unit.replacing(".", with: "-")), owned by root.",
            "# Cron mails what a run prints; --quiet prints nothing unless something failed.",
            "# Local time; a night with a clock change has one run, too (--once-a-day).",
            job.mailTo.map { "MAILTO=\($0)" } ?? "# MAILTO=gis-admin@example.org",
            "SHELL=/bin/sh",
            "PATH=/usr/local/bin:/usr/bin:/bin",
        ]
        if !job.needs.credentials.isEmpty { lines.append("\(SecretReference.credentialFolder)=\(job.credentialFolder)") }
        for name in job.needs.variables {
            lines.append("# The manifest reads \(name) from the environment, which cron does not have; better `{ file: … }`.")
        }
        return (lines + ["\(fields)\(user) \(command)", ""]).joined(separator: "\n")
    }

    /// For /bin/sh; a percent sign ends a command in crontab(5).
    private static func quoted(_ word: String) -> String {
        let isSafe = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,@+".contains($0)) }
        let text = String(word.map { $0.isNewline ? " " : $0 })
        return (isSafe && !text.isEmpty ? text : "'" + text.escaping(["'": "'\\''"]) + "'").escaping(["%": "\\%"])
    }
}
