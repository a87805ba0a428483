import Basics

/// A oneshot service and its timer (systemd.service(5), systemd.timer(5), systemd.exec(5)).
struct SystemdUnits {
    let job: NightlyJob

    var files: [ScheduleFile] {
        [ScheduleFile(name: job.unit + ".service", text: service), ScheduleFile(name: job.unit + ".timer", text: timer)]
    }

    private var service: String {
        """
        # The nightly run of \(job.manifest); \(job.unit).timer starts it.
        # Made by `offline-batch schedule --systemd`. Install both files in /etc/systemd/system, then:
        #   \(preparation)systemctl daemon-reload && systemctl enable --now \(job.unit).timer
        # By hand: systemctl start \(job.unit).service; journalctl -u \(job.unit).service

        [Unit]
        Description=Offline maps: \(Self.plain(job.title))
        Wants=network-online.target
        After=network-online.target
        \(lines([job.onFailure.map { "OnFailure=\($0)" }]))
        [Service]
        Type=oneshot
        \(lines([job.user.map { "User=\($0)" }]))ExecStart=\(([job.program] + job.arguments).map(Self.quoted).joined(separator: " "))
        # 2: some areas are left or failed; the unit fails with every code but 0, so that OnFailure= hears of it.
        # The run says in `systemctl status` how far it is.
        NotifyAccess=main
        # A night that hangs must not block the next one; SIGTERM saves the state and ends within ten seconds.
        TimeoutStartSec=\(job.longest)
        TimeoutStopSec=30
        KillMode=mixed
        \(lines(job.needs.credentials.map { "LoadCredential=\($0):\(Paths.join(job.credentialFolder, $0))" } + notes))
        # What a run needs is the network, its output and to read the manifest; everything else is closed.
        ReadWritePaths=\(writable.map(Self.quotedPath).joined(separator: " "))
        ProtectSystem=strict
        ProtectHome=\(isAtHome ? "read-only" : "yes")
        PrivateTmp=yes
        PrivateDevices=yes
        ProtectClock=yes
        ProtectControlGroups=yes
        ProtectHostname=yes
        ProtectKernelLogs=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        ProtectProc=invisible
        ProcSubset=pid
        RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        NoNewPrivileges=yes
        RemoveIPC=yes
        CapabilityBoundingSet=
        AmbientCapabilities=
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged
        # What is refused fails; it does not kill the run.
        SystemCallErrorNumber=EPERM
        # Maps matter less than what people do with the machine.
        CPUWeight=20
        IOSchedulingClass=idle

        """
    }

    private var timer: String {
        """
        [Unit]
        Description=Every night: offline maps of \(Self.plain(job.title))

        [Timer]
        # Local time; a night with a clock change has one run, too (--once-a-day).
        OnCalendar=*-*-* \(job.at.text):00
        \(lines(makeUp))# A night that was missed because the machine was off is made up for.
        Persistent=true
        RandomizedDelaySec=\(job.delay.components.seconds)
        # Not a minute later: a run belongs to the day on which it begins.
        AccuracySec=1s

        [Install]
        WantedBy=timers.target

        """
    }

    /// What the person must do once.
    private var preparation: String {
        let owner = job.user.map { "-o \($0) " } ?? ""
        return writable.map { "install -d \(owner)\(Self.quoted($0)) && " }.joined()
    }

    private var writable: [String] {
        let inside = job.output + "/"
        return [job.output] + ([job.state] + job.needs.folders).filter { !($0 + "/").hasPrefix(inside) }
    }

    private var isAtHome: Bool {
        ([job.manifest, job.output, job.state, job.program] + job.needs.files + job.needs.commands).contains { path in
            ["/home/", "/root/", "/run/user/"].contains(where: path.hasPrefix)
        }
    }

    private var makeUp: [String] {
        job.makeUp.map {
            [
                "# For the night on which the clock jumps over that time; on others today's run is done by then.",
                "OnCalendar=*-*-* \($0.text):00",
            ]
        } ?? []
    }

    private var notes: [String] {
        var notes: [String] = []
        if !job.needs.variables.isEmpty {
            notes.append(
                "# The manifest reads \(job.needs.variables.joined(separator: ", ")) from the environment, which a unit does not have. "
                    + "Better: `{ credential: NAME }`.")
        }
        if job.needs.sendsMail {
            notes.append(
                "# The manifest mails through sendmail. That of Postfix and Exim needs rights that this sandbox takes away: use one "
                    + "without, such as msmtp, or let OnFailure= mail.")
        }
        if job.needs.usesTicket {
            notes.append("# The manifest signs in with Kerberos: the account needs a ticket, from a keytab for instance.")
        }
        return notes
    }

    private func lines(_ lines: [String?]) -> String { lines.compactMap { $0 }.map { $0 + "\n" }.joined() }

    /// Percent signs are specifiers, and a line break would begin another setting.
    private static func plain(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 }).escaping(["%": "%%"])
    }

    /// A word of ExecStart=: `%` and `$` stand for themselves.
    static func quoted(_ word: String) -> String {
        let plain = plain(word).escaping(["$": "$$"])
        let isSafe = plain.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,@%+$".contains($0)) }
        return isSafe ? plain : "\"" + plain.escaping(["\\": "\\\\", "\"": "\\\""]) + "\""
    }

    /// A path in a list of paths, where `$` has no meaning.
    private static func quotedPath(_ path: String) -> String {
        let plain = plain(path)
        let isSafe = plain.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,@%+$".contains($0)) }
        return isSafe ? plain : "\"" + plain.escaping(["\\": "\\\\", "\"": "\\\""]) + "\""
    }
}
