import Basics
import Foundation
import Manifest
import Planning
import Reporting
import Transport

/// What there is to tell at the end of a run.
public struct News: Sendable {
    public var report: RunReport
    /// nil when it could not be written.
    public var reportPath: String?
    public var variables: [String: String]
    public var zone: TimeZone
    public var now: Date

    public init(report: RunReport, reportPath: String?, variables: [String: String], zone: TimeZone, now: Date) {
        self.report = report
        self.reportPath = reportPath
        self.variables = variables
        self.zone = zone
        self.now = now
    }

    var text: NewsText { NewsText(report: report, zone: zone, reportPath: reportPath) }

    func concerns(_ occasion: NotifyOccasion) -> Bool { occasion == .always || report.outcome != .ok }
}

/// Tells those who asked how a run went (`notify:`). It cannot fail: whoever could not be told is named in a notice. No credential of the
/// portal or its servers is anywhere near these requests.
struct Notifier: Sendable {
    var manifest: Manifest
    var variables: [String: String]

    private var settings: NotifySettings { manifest.notify }

    /// The run has the lock and begins.
    func start() async -> [Notice] {
        guard let address = settings.ping else { return [] }
        let notice = await attempt(.ping) { () async throws(Trouble) in
            let ping = Ping.start(try await url(address))
            try await post(ping.url, body: ping.body, headers: [], isHurried: false)
        }
        // One that was told tells at the end again.
        return notice.problem == nil ? [] : [notice]
    }

    /// The report is on the disk. Files first, then all others at once.
    func end(_ news: News) async -> [Notice] {
        var notices = await files(news)
        async let ping = ping(news)
        async let webhook = webhook(news)
        async let mail = mail(news)
        notices += [await ping, await webhook, await mail].compactMap(\.self)
        return notices
    }

    // MARK: - Files

    private func files(_ news: News) async -> [Notice] {
        let markdown = MarkdownSummary(report: news.report, zone: news.zone).text
        var notices: [Notice] = []
        if let path = settings.metrics {
            notices.append(await write(.metrics, Metrics.text(news.report), to: path))
        }
        if let path = settings.ci.summary { notices.append(await write(.summary, markdown, to: path)) }
        if let path = settings.ci.codeQuality {
            let text = Annotations(report: news.report, manifest: manifest).codeQuality
            notices.append(await write(.codeQuality, text, to: path))
        }
        if settings.ci.usesGitHub, let path = variables["GITHUB_STEP_SUMMARY"], !path.isEmpty {
            notices.append(
                await storing(.summary, path) { () throws(SystemError) in
                    try FileDescriptor.withOpen(path, flags: O_WRONLY | O_APPEND | O_CREAT) { (file) throws(SystemError) in
                        try file.write(Array(markdown.utf8)[...])
                    }
                })
        }
        return notices
    }

    private func write(_ channel: Notice.Channel, _ text: String, to path: String) async -> Notice {
        await storing(channel, path) { () throws(SystemError) in try Files.writeAtomically(text.utf8, to: path) }
    }

    private func storing(
        _ channel: Notice.Channel, _ path: String, _ work: @escaping @Sendable () throws(SystemError) -> Void
    ) async -> Notice {
        await attempt(channel) { () async throws(Trouble) in
            do throws(SystemError) { try await offPool(work) } catch { throw Trouble("\(path): \(error.message)") }
        }
    }

    // MARK: - Others

    private func ping(_ news: News) async -> Notice? {
        guard let address = settings.ping else { return nil }
        return await attempt(.ping) { () async throws(Trouble) in
            let ping = Ping.end(try await url(address), news.text)
            let type = [HTTPHeader("Content-Type", "text/plain; charset=utf-8")]
            try await post(ping.url, body: ping.body, headers: type, isHurried: news.isHurried)
        }
    }

    private func webhook(_ news: News) async -> Notice? {
        guard let webhook = settings.webhook, news.concerns(webhook.occasion) else { return nil }
        return await attempt(.webhook) { () async throws(Trouble) in
            let call = Webhook(news.report, secret: try await resolve(webhook.secret), now: news.now)
            let headers = call.headers.map { HTTPHeader($0.name, $0.value) }
            try await post(try await url(webhook.url), body: call.body, headers: headers, isHurried: news.isHurried)
        }
    }

    private func mail(_ news: News) async -> Notice? {
        guard let mail = settings.mail, news.concerns(mail.occasion) else { return nil }
        return await attempt(.mail) { () async throws(Trouble) in
            let message = MailText(from: mail.from, to: mail.to, news: news.text, date: news.now).message
            let seconds = max(1, settings.timeout.milliseconds / 1000)
            try await Sendmail(program: mail.sendmail, variables: variables, seconds: seconds).send(message)
        }
    }

    private func attempt(_ channel: Notice.Channel, _ work: () async throws(Trouble) -> Void) async -> Notice {
        do throws(Trouble) {
            try await work()
            return Notice(channel: channel)
        } catch {
            return Notice(channel: channel, problem: error.words)
        }
    }

    // MARK: - Requests

    /// An address that is a secret is nowhere told: neither it nor its path is in any words.
    private func url(_ address: NotifyAddress) async throws(Trouble) -> String {
        switch address {
        case .url(let url): return url
        case .secret(let reference):
            let url = try await resolve(reference).reveal()
            guard WebAddress(url)?.isHTTP == true else { throw Trouble("\(reference): it is no http or https address") }
            return url
        }
    }

    private func resolve(_ reference: SecretReference) async throws(Trouble) -> Secret {
        do throws(SecretError) {
            return try await reference.resolve(environment: variables)
        } catch {
            throw Trouble(Wording.words(for: error))
        }
    }

    /// With its account: without one it would let nothing through.
    private func proxy() async throws(Trouble) -> CurlConfiguration.Proxy? {
        do throws(SecretError) {
            return try await manifest.portal.connection.proxy?.proxy(variables)
        } catch {
            throw Trouble(Wording.words(for: error))
        }
    }

    /// With the portal's authorities and proxy, and with nothing else of it: no account of the portal, no client certificate.
    private func post(_ url: String, body: String, headers: [HTTPHeader], isHurried: Bool) async throws(Trouble) {
        let engine = CurlTransport(
            configuration: CurlConfiguration(
                connectionsPerHost: 1, maximumBodySize: 1 << 20,
                certificateAuthorities: manifest.portal.connection.tls.caFile, proxy: try await proxy(),
                proxyVariables: ProxyVariables(variables)))
        defer { engine.shutdown() }
        // A stopped run has seconds left.
        let policy = isHurried ? RetryPolicy.never : RetryPolicy(attempts: 2, baseDelaySeconds: 1, maximumRetryAfterSeconds: 5)
        let timeout = isHurried ? min(settings.timeout, .seconds(2)) : settings.timeout
        // Sending it twice tells the same news twice.
        let request = HTTPRequest(
            method: .post, url: url, headers: headers, body: Array(body.utf8),
            timeouts: Timeouts(connect: timeout, inactivity: timeout, total: timeout), isIdempotent: true)
        let host = WebAddress(url)?.host ?? "the address"
        do throws(TransportError) {
            let response = try await RetryingTransport(engine, policy: policy).send(request)
            if !(200..<300).contains(response.status) {
                throw TransportError(kind: .other, message: "it answered \(response.status)", url: "")
            }
        } catch {
            throw Trouble("\(host): \(error.message)")
        }
    }
}

/// Why somebody could not be told, in words without secrets.
struct Trouble: Error {
    var words: String
    init(_ words: String) { self.words = words }
}

extension News {
    fileprivate var isHurried: Bool { report.outcome == .interrupted || report.outcome == .terminated }
}
