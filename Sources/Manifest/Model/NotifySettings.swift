/// Who is told how a run went (`notify:`). Nothing of it can change the outcome of a run.
public struct NotifySettings: Sendable, Hashable {
    /// Of one try to tell one of them.
    public var timeout = Duration.seconds(10)
    /// Absolute path of a file for Prometheus' node exporter (textfile collector).
    public var metrics: String?
    public var ping: NotifyAddress?
    public var webhook: WebhookSettings?
    public var mail: MailSettings?
    public var ci = CISettings()

    public init() {}
}

/// An address that may itself be a secret: whoever knows it can use it.
public enum NotifyAddress: Sendable, Hashable {
    case url(String)
    case secret(SecretReference)
}

/// When somebody wants to hear of a run.
public enum NotifyOccasion: String, Sendable, CaseIterable {
    case always
    /// Only when it did not end with `ok`.
    case problems
}

public struct WebhookSettings: Sendable, Hashable {
    public var url: NotifyAddress
    /// The key of the signature.
    public var secret: SecretReference
    public var occasion: NotifyOccasion

    public init(url: NotifyAddress, secret: SecretReference, occasion: NotifyOccasion = .always) {
        self.url = url
        self.secret = secret
        self.occasion = occasion
    }
}

/// Mail goes through the machine's own `sendmail -t`, which knows how to reach a mail server and with which account.
public struct MailSettings: Sendable, Hashable {
    public var to: [String]
    public var from: String
    public var occasion: NotifyOccasion
    /// The program; a name without a slash is looked up in PATH.
    public var sendmail: String

    public static let sendmail = "/usr/sbin/sendmail"

    public init(
        to: [String], from: String, occasion: NotifyOccasion = .problems, sendmail: String = MailSettings.sendmail
    ) {
        self.to = to
        self.from = from
        self.occasion = occasion
        self.sendmail = sendmail
    }
}

/// For runs inside of a pipeline.
public struct CISettings: Sendable, Hashable {
    /// Absolute path of a file that gets the summary as Markdown.
    public var summary: String?
    /// Absolute path of a file that gets the failures in GitLab's Code Quality format.
    public var codeQuality: String?
    /// In GitHub Actions: annotations and the job's summary.
    public var usesGitHub = true

    public init() {}
}
