import Basics
import Foundation
import Manifest
import TestSupport
import Testing

@testable import OfflineBatch

/// What `schedule` writes, and what the programs say that will read it.
@Suite struct ScheduleTests {
    private static let signIn = """
        portal:
          url: https://maps.example.com/portal
          auth: { user: { name: night, password: { credential: portal-password } } }
          servers: [{ url: "https://gis.example.org/server", auth: { token: { env: GIS_TOKEN } } }]
          proxy: { url: "http://proxy.example.org:3128", user: { name: night, password: { credential: proxy-password } } }
        notify:
          webhook: { url: "https://hooks.example.org/maps", secret: { credential: hook } }
          metrics: { textfile: /var/lib/metrics/water.prom }
          mail: { to: [gis@example.org], from: maps@example.org }

        """

    private static func stage(_ extra: String = "") throws -> Stage {
        try Stage(manifest: Stage.manifest + extra)
    }

    private static func job(_ change: (inout NightlyJob) -> Void = { _ in }) -> NightlyJob {
        var job = NightlyJob(
            title: "water", manifest: "/srv/maps/water.yaml", program: "/usr/bin/true", at: LocalTime(hour: 2, minute: 15),
            makeUp: nil, finishBy: nil, delay: .seconds(600), output: "/srv/maps/out", state: "/srv/maps/out/.state",
            needs: ManifestNeeds(),
            user: nil, credentialFolder: "/etc/offline-batch/credentials", onFailure: nil, mailTo: nil)
        change(&job)
        return job
    }

    @Test("systemd: both files, what the manifest needs in them; the command line is taken apart as it was meant")
    func units() async throws {
        let stage = try Self.stage(Self.signIn)
        let written = await stage(
            "schedule --systemd --finish-by 05:30 --at 1:40 --user gis --on-failure alert@%n.service -o units m.yaml")
        #expect(written.code == 0, "\(written.errors)")
        let service = String(decoding: try Files.read(stage.folder.file("units/offline-batch-water.service")), as: UTF8.self)
        let lines = Set(service.split(separator: "\n").map(String.init))
        let folder = stage.folder.path
        for line in [
            "Type=oneshot", "NotifyAccess=main", "User=gis", "OnFailure=alert@%n.service", "TimeoutStopSec=30",
            "LoadCredential=portal-password:/etc/offline-batch/credentials/portal-password", "NoNewPrivileges=yes",
            "LoadCredential=proxy-password:/etc/offline-batch/credentials/proxy-password",
            "LoadCredential=hook:/etc/offline-batch/credentials/hook",
            "ProtectSystem=strict", "ReadWritePaths=\(folder)/out /var/lib/metrics",
            "ExecStart=/usr/local/bin/offline-batch run --quiet --once-a-day --finish-by 05:30 \(folder)/m.yaml",
            // From 01:40 to 05:30, and a quarter of an hour.
            "TimeoutStartSec=\(230 * 60 + 900)",
        ] { #expect(lines.contains(line), "\(line)") }
        #expect(service.contains("GIS_TOKEN") && service.contains("sendmail"))
        let timer = String(decoding: try Files.read(stage.folder.file("units/offline-batch-water.timer")), as: UTF8.self)
        for line in ["OnCalendar=*-*-* 01:40:00", "Persistent=true", "RandomizedDelaySec=600", "WantedBy=timers.target"] {
            #expect(timer.contains("\n\(line)\n"), "\(line)")
        }
        // The same again is fine; other content is not replaced unless one insists.
        #expect(
            await stage("schedule --systemd --finish-by 05:30 --at 1:40 --user gis --on-failure alert@%n.service -o units m.yaml")
                .code == 0)
        #expect(await stage("schedule --systemd -o units m.yaml").code == 73)
        #expect(await stage("schedule --systemd --force -o units m.yaml").code == 0)
    }

    @Test("the time that a night may take goes over midnight, and is never without an end")
    func longest() {
        #expect(Self.job { $0.finishBy = LocalTime(hour: 2, minute: 45) }.longest == 30 * 60 + 900)
        #expect(Self.job { $0.finishBy = LocalTime(hour: 2, minute: 15) }.longest == 24 * 3600 + 900)
        #expect(Self.job { $0.finishBy = LocalTime(hour: 1, minute: 0) }.longest == 22 * 3600 + 45 * 60 + 900)
        #expect(Self.job().longest == 20 * 3600)
    }

    /// Spread over midnight, one run would begin at 00:03 and the next at 23:57 of the same day, which --once-a-day leaves out.
    @Test("a run begins on the day for which it is planned")
    func delay() async throws {
        func delay(_ at: String) throws -> Duration { NightlyJob.delay(.seconds(600), after: try #require(LocalTime(at))) }
        #expect(try delay("02:15") == .seconds(600))
        #expect(try delay("23:49") == .seconds(600))
        #expect(try delay("23:55") == .seconds(240))
        #expect(try delay("23:59") == .zero)
        let timer = try await Self.stage()("schedule --systemd --at 23:55 m.yaml").output
        #expect(timer.contains("\nRandomizedDelaySec=240\n") && timer.contains("\nAccuracySec=1s\n"), "\(timer)")
    }

    static let hasSystemd = Files.exists("/usr/bin/systemd-analyze")

    @Test(
        "systemd-analyze verifies the units, the calendar and the hardening",
        .enabled(if: hasSystemd, "needs systemd-analyze: run `make setup`"))
    func systemdVerifies() throws {
        let folder = try TemporaryFolder()
        let strange = Self.job {
            $0.title = "water 100% \"main\"\nUser=root"
            $0.manifest = "/srv/maps of $HOME/100%.yaml"
            $0.user = "daemon"
            $0.state = "/var/lib/offline batch"
            $0.needs.credentials = ["portal-password"]
        }
        for job in [Self.job(), strange] {
            let files = SystemdUnits(job: job).files
            for file in files { try Files.writeAtomically(file.text.utf8, to: folder.file(file.name)) }
            let verdict = try Command.run(
                "systemd-analyze", ["verify", "--man=no", "--recursive-errors=no"] + files.map { folder.file($0.name) })
            #expect(verdict.status == 0 && verdict.errors.isEmpty, "\(verdict.errors)")
            // Exposure of at most 3.0 of 10 ("OK"): what is left is the network, which a run is for.
            let security = try Command.run(
                "systemd-analyze", ["security", "--offline=true", "--no-pager", "--threshold=30", folder.file(files[0].name)])
            #expect(security.status == 0, "\(security.output)")
        }
        let text = SystemdUnits(job: strange).files[0].text
        #expect(!text.contains("\nUser=root"))
        #expect(text.contains("\"/srv/maps of $$HOME/100%%.yaml\""))
    }

    /// systemd leaves out the day on which 02:15 does not come; the second line of the timer makes up for it. What fires twice on
    /// one day is ended by --once-a-day.
    @Test(
        "systemd's calendar reaches every local day, also when the clock changes",
        .enabled(if: hasSystemd, "needs systemd-analyze: run `make setup`"),
        arguments: [
            ("Europe/Berlin", "2026-03-28 12:00", 29), ("Europe/Berlin", "2026-10-24 12:00", 25),
            ("Europe/Berlin", "2026-06-10 12:00", 11), ("America/New_York", "2026-03-07 12:00", 8),
            ("America/New_York", "2026-11-01 00:30", 1), ("Australia/Lord_Howe", "2026-10-03 12:00", 4),
            ("Australia/Lord_Howe", "2026-04-04 12:00", 5),
        ])
    func calendar(_ place: String, _ from: String, _ day: Int) throws {
        let zone = try #require(TimeZone(identifier: place))
        let now = try Date("2026-01-01T12:00:00Z", strategy: .iso8601)
        let job = Self.job { $0.makeUp = NightlyJob.makeUp(for: $0.at, in: zone, from: now) }
        let lines = SystemdUnits(job: job).files[1].text.split(separator: "\n").filter { $0.hasPrefix("OnCalendar=") }
        #expect(lines == ["OnCalendar=*-*-* 02:15:00", "OnCalendar=*-*-* 03:15:00"])
        var days: Set<LocalDay> = []
        for line in lines {
            let verdict = try Command.run(
                "systemd-analyze", ["calendar", "--iterations=3", "--base-time=\(from)", String(line.dropFirst(11))],
                environment: ["TZ": place, "PATH": "/usr/bin:/bin", "LC_ALL": "C"])
            #expect(verdict.status == 0, "\(verdict.errors)")
            let moments = verdict.output.matches(of: /\(in UTC\): \w+ (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/)
                .compactMap { try? Date("\($0.1)T\($0.2)Z", strategy: .iso8601) }
            #expect(moments.count == 3, "\(verdict.output)")
            days.formUnion(moments.map { LocalDay(of: $0, in: zone) })
        }
        let first = LocalDay(year: 2026, month: Int(from.dropFirst(5).prefix(2)) ?? 0, day: day)
        #expect(days.isSuperset(of: [first, first.adding(days: 1), first.adding(days: 2)]), "\(days)")
    }

    @Test("a second time is written only where clocks skip the first")
    func makeUp() throws {
        let now = try Date("2026-01-01T12:00:00Z", strategy: .iso8601)
        func makeUp(_ time: String, _ zone: String) throws -> String? {
            NightlyJob.makeUp(for: try #require(LocalTime(time)), in: try #require(TimeZone(identifier: zone)), from: now)?.text
        }
        #expect(try makeUp("02:15", "Europe/Berlin") == "03:15")
        #expect(try makeUp("01:40", "Europe/Berlin") == nil)
        #expect(try makeUp("01:15", "Europe/London") == "02:15")
        #expect(try makeUp("02:15", "UTC") == nil)
        #expect(try makeUp("00:30", "America/Santiago") == "01:30")
    }

    @Test("cron: a table that croniter reads, with every word quoted for the shell and for cron")
    func cron() async throws {
        let table = CronTable(
            job: Self.job {
                $0.manifest = "/srv/it's 100%/water.yaml"
                $0.at = LocalTime(hour: 23, minute: 5)
                $0.mailTo = "gis@example.org"
            }
        ).files[0].text
        let lines = table.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.last == #"5 23 * * * /usr/bin/true run --quiet --once-a-day '/srv/it'\''s 100\%/water.yaml'"#)
        #expect(lines.contains("MAILTO=gis@example.org"))
        #expect(table.hasSuffix("\n"))
        let withUser = CronTable(job: Self.job { $0.user = "gis" }).files[0].text
        #expect(withUser.contains("\n15 2 * * * gis /usr/bin/true run"))
        // What the shell makes of it.
        let command = String(lines.last?.dropFirst("5 23 * * * /usr/bin/true ".count) ?? "").replacing("\\%", with: "%")
        let words = try Command.run("/bin/sh", ["-c", "printf '%s\\n' \(command)"])
        #expect(words.output == "run\n--quiet\n--once-a-day\n/srv/it's 100%/water.yaml\n")
        let stage = try Self.stage()
        #expect(await stage("schedule --cron m.yaml").output.contains("15 2 * * * /usr/local/bin/offline-batch run"))
    }

    @Test(
        "croniter takes the line's times as meant",
        .enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func croniter() throws {
        let verdict = try PythonJudge.run(
            """
            import sys, datetime, croniter
            line = [l for l in sys.argv[1].splitlines() if l and l[0] in "0123456789"][0]
            print(croniter.croniter(" ".join(line.split()[:5]), datetime.datetime(2026, 1, 1)).get_next(datetime.datetime))
            """, [CronTable(job: Self.job()).files[0].text])
        #expect(verdict.output == "2026-01-01 02:15:00\n", "\(verdict.errors)")
    }

    @Test(
        "GitHub: the schema of workflows accepts it; UTC is worked out; secrets go to files and variables",
        .enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func github() throws {
        let folder = try TemporaryFolder()
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let strange = Self.job {
            $0.title = "water: \"100%\"\n${{ github.token }}"
            $0.needs.credentials = ["portal-password", "2nd"]
            $0.needs.variables = ["GIS_TOKEN"]
        }
        for (index, job) in [Self.job(), strange].enumerated() {
            let now = try Date("2026-11-30T12:00:00Z", strategy: .iso8601)
            let workflow = GitHubWorkflow(job: job, zone: zone, now: now, manifest: "manifests/water.yaml").files[0]
            #expect(
                workflow.text.contains("- cron: \"15 1 * * *\"") && workflow.text.contains("02:15 in Europe/Berlin on 2026-12-01")
            )
            try Files.writeAtomically(workflow.text.utf8, to: folder.file("\(index).yml"))
        }
        let verdict = try Command.run(
            PythonJudge.interpreter ?? "",
            ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", folder.file("0.yml"), folder.file("1.yml")])
        #expect(verdict.status == 0, "\(verdict.output)\(verdict.errors)")
        let text = String(decoding: try Files.read(folder.file("1.yml")), as: UTF8.self)
        #expect(text.contains("GIS_TOKEN: ${{ secrets.GIS_TOKEN }}"))
        // By hand it runs, too, on a day that had a good night.
        #expect(text.contains("workflow_dispatch:") && !text.contains("once-a-day"))
        #expect(text.contains(#"printf '%s' "$SECRET__2ND" > "$RUNNER_TEMP/credentials/2nd""#))
        #expect(!text.contains("${{ github.token"))
    }

    @Test("schedule wants one kind, times that exist, and plain words")
    func usage() async throws {
        let stage = try Self.stage()
        for line in [
            "schedule m.yaml", "schedule --systemd --cron m.yaml", "schedule --systemd --at 25:00 m.yaml",
            "schedule --systemd --finish-by 5 m.yaml", "schedule --cron --delay 5 m.yaml", "schedule --cron --user a/b m.yaml",
            "schedule --systemd --user=a;b m.yaml", "schedule --systemd --delay -1 m.yaml",
            "schedule --systemd --on-failure a/b m.yaml", "schedule --systemd --user 100% m.yaml",
        ] { #expect(await stage(line).code == 64, "\(line)") }
        #expect(await stage("schedule --systemd n.yaml").code == 65)
        #expect(await stage("schedule --systemd m.yaml").output.contains("# offline-batch-water.timer\n[Unit]"))
    }
}
