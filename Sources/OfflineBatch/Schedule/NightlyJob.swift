import Basics
import Foundation
import Manifest

/// What a scheduler must know to run a manifest every night; the three ways to write it down are made from this value alone.
struct NightlyJob: Sendable, Equatable {
    /// The manifest's name.
    var title: String
    /// Absolute.
    var manifest: String
    /// The program, absolute.
    var program: String
    var at: LocalTime
    /// For the day on which `at` does not come, because the clock is put forward over it; nil where no clock does that.
    var makeUp: LocalTime?
    var finishBy: LocalTime?
    /// Spread over this long, so that many machines do not come at once: `delay(_:after:)`.
    var delay: Duration
    /// Absolute.
    var output: String
    var state: String
    var needs: ManifestNeeds
    /// Account that the job runs as; nil is the scheduler's own.
    var user: String?
    /// Folder whose files are handed over as credentials.
    var credentialFolder: String
    /// Unit that systemd starts when a run fails.
    var onFailure: String?
    /// Address for cron's mails.
    var mailTo: String?

    /// An hour later, if the clock of the zone skips the time on a day of the coming year. systemd leaves such a day out; with
    /// --once-a-day the second time does nothing on all others.
    static func makeUp(for at: LocalTime, in zone: TimeZone, from now: Date) -> LocalTime? {
        let today = LocalDay(of: now, in: zone)
        let isSkipped = (0...366).contains { at.moments(on: today.adding(days: $0), in: zone).isEmpty }
        return isSkipped ? LocalTime(hour: (at.hour + 1) % 24, minute: at.minute, second: at.second) : nil
    }

    /// A run that began behind midnight would be that of the next day, whose own one --once-a-day would leave out. The last minute is
    /// for the machine.
    static func delay(_ wanted: Duration, after at: LocalTime) -> Duration {
        min(wanted, max(.zero, .seconds((24 * 60 - 1 - at.hour * 60 - at.minute) * 60)))
    }

    /// File names: `offline-batch-naperville-water`.
    var unit: String { "offline-batch-\(Paths.slug(title))" }

    /// Without the program.
    var arguments: [String] {
        ["run", "--quiet", "--once-a-day"] + (finishBy.map { ["--finish-by", $0.text] } ?? [])
            + (state == Paths.join(output, ".state") ? [] : ["--state", state]) + [manifest]
    }

    /// From the start to the time by which it has to be over, else twenty hours: a night that hangs must not block the next.
    var longest: Int {
        guard let finishBy else { return 20 * 3600 }
        let minutes = (finishBy.hour - at.hour) * 60 + finishBy.minute - at.minute
        // A quarter of an hour for what is under way at that time.
        return (minutes > 0 ? minutes : minutes + 24 * 60) * 60 + 900
    }
}

/// What a manifest refers to outside of itself: a scheduler starts programs without a person's environment.
struct ManifestNeeds: Sendable, Equatable {
    /// Names of `{ credential: … }`.
    var credentials: [String] = []
    /// Names of `{ env: … }`.
    var variables: [String] = []
    /// Secrets and certificates in files; absolute.
    var files: [String] = []
    /// Programs that print a secret.
    var commands: [String] = []
    /// Folders outside of the output that a run writes to; absolute.
    var folders: [String] = []
    /// Mail goes through a program that may need rights of its own.
    var sendsMail = false
    /// Kerberos tickets come from the account that runs the job.
    var usesTicket = false

    init(_ manifest: Manifest) {
        let portal = manifest.portal
        add(portal.auth)
        for server in portal.servers { add(server.auth) }
        switch portal.connection.webAuth {
        case .negotiate: usesTicket = true
        case .ntlm(_, let password): add(password)
        case nil: break
        }
        let tls = portal.connection.tls
        files += [tls.caFile, tls.clientCertificate, tls.clientKey].compactMap { $0 }
        if case .file(let path) = manifest.webMap { files.append(path) }
        for secret in [tls.clientKeyPassword, portal.connection.proxy?.user?.password].compactMap({ $0 }) { add(secret) }
        add(manifest.notify)
        (credentials, variables, files) = (credentials.uniqued, variables.uniqued, files.uniqued)
    }

    init() {}

    private mutating func add(_ notify: NotifySettings) {
        for case .secret(let address)? in [notify.ping, notify.webhook?.url] { add(address) }
        if let secret = notify.webhook?.secret { add(secret) }
        folders = [notify.metrics, notify.ci.summary, notify.ci.codeQuality].compactMap { $0.map(Paths.parent) }.uniqued
        sendsMail = notify.mail != nil
    }

    private mutating func add(_ auth: Authentication) {
        switch auth {
        case .none: break
        case .apiKey(let secret), .token(let secret, _), .oauth(_, let secret), .user(_, let secret): add(secret)
        }
    }

    private mutating func add(_ secret: SecretReference) {
        switch secret {
        case .credential(let name): credentials.append(name)
        case .environment(let name): variables.append(name)
        case .file(let path): files.append(path)
        case .command(let words): commands.append(words[0])
        }
    }
}

/// One file of a schedule.
struct ScheduleFile: Sendable, Equatable {
    var name: String
    var text: String
}

extension [String] {
    /// Each once, where it came first.
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
