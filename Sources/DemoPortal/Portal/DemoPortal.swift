import Basics
import Foundation
import Synchronization

/// A portal and a server that behave like ArcGIS, for demonstrations and tests.
///
///     let portal = try DemoPortal(configuration)
///     let places = try portal.start()   // places.portal is the URL for manifests
///     …
///     portal.stop()
public final class DemoPortal: Sendable {
    public struct Addresses: Sendable, Hashable {
        /// `http://127.0.0.1:8080/portal`
        public var portal: String
        /// `http://127.0.0.1:8080/server`
        public var server: String
        public var port: Int
    }

    private struct Running: Sendable {
        var main: Daemon
        var store: Daemon
        var core: Core
        /// It and the editor inside refer to each other: taken apart at the end.
        var router: Late<Router>
        var ownsFolder: Bool
    }

    private let configuration: DemoPortalConfiguration
    private let users: UserDirectory
    private let faults: [FaultRule]
    private let requests: Journal
    private let running = Mutex<Running?>(nil)

    /// Reads the users and the faults and opens the journal.
    public init(_ configuration: DemoPortalConfiguration = DemoPortalConfiguration()) throws(ConfigurationError) {
        self.configuration = configuration
        faults = try FaultFile.read(configuration.faults)
        users =
            try configuration.users.map { text throws(ConfigurationError) in try UserDirectory(yaml: text) } ?? UserDirectory()
        do throws(SystemError) {
            requests = try Journal(path: configuration.journalFile, keepsEntries: configuration.keepsJournal)
        } catch {
            throw ConfigurationError(message: "\(error.path): \(error.message)")
        }
    }

    deinit { stop() }

    /// Makes the data, listens, and gives the addresses. Making the data of a town takes about a second.
    public func start() throws -> Addresses {
        let journal = requests
        let clock = configuration.clock
        let router = Late<Router>()
        let handler: Daemon.Handler = { request in
            router.value?.handle(request) ?? .html("<html><body>Starting</body></html>", status: 503)
        }
        let observer: Daemon.Observer = { request, status, bytes in
            journal.record(request, status: status, bytes: bytes, time: clock())
        }
        let identity = configuration.tlsCertificate.map {
            Daemon.Identity(certificate: $0, key: configuration.tlsKey ?? $0)
        }
        let main = try Daemon(
            host: configuration.host, port: configuration.port, threads: configuration.threads, listener: .main,
            bodyLimit: configuration.maxRequestBytes,
            identity: identity, handler: handler, observer: observer)
        let store = try Daemon(
            host: configuration.host, port: 0, threads: 2, listener: .store, bodyLimit: configuration.maxRequestBytes,
            identity: identity, handler: handler,
            observer: observer)
        let scheme = identity == nil ? "http" : "https"
        let host = configuration.host == "0.0.0.0" ? "127.0.0.1" : configuration.host
        let places = Places(origin: "\(scheme)://\(host):\(main.port)", storeOrigin: "\(scheme)://\(host):\(store.port)")
        do {
            let folder = try workFolder()
            let core = Core(configuration: configuration, users: users, faults: faults, places: places, workFolder: folder)
            let content = try Content.make(configuration, places: places)
            let editor = ContentEditor(content, clock: clock) { router.set(Router(core: core, content: $0, editor: $1)) }
            router.set(Router(core: core, content: content, editor: editor))
            running.withLock {
                $0 = Running(
                    main: main, store: store, core: core, router: router, ownsFolder: configuration.workFolder == nil)
            }
        } catch {
            main.stop()
            store.stop()
            throw error
        }
        return Addresses(portal: places.portal, server: places.server, port: main.port)
    }

    /// Ends the threads and removes the results. A second call does nothing.
    public func stop() {
        let ended = running.withLock { state in
            defer { state = nil }
            return state
        }
        guard let ended else { return }
        ended.main.stop()
        ended.store.stop()
        ended.router.set(nil)
        ended.core.abandonWork()
        if ended.ownsFolder { try? Files.remove(ended.core.workFolder) }
        requests.close()
    }

    /// All requests so far; needs `keepsJournal`.
    public var journal: [JournalEntry] { requests.all }

    /// Puts other fault rules in place of those before; counters start again.
    public func setFaults(_ yaml: String) throws(ConfigurationError) {
        let rules = try FaultFile.read(yaml)
        running.withLock { $0?.core }?.withState { $0.faults = FaultTable(rules) }
    }

    /// Replicas that services have on file.
    public var registeredReplicas: Int { running.withLock { $0?.core }?.withState { $0.replicas.count } ?? 0 }

    /// Waits until the files of all jobs submitted so far are written.
    public func waitForFiles() { running.withLock { $0?.core }?.finishWork() }

    /// All tokens given so far stop being valid.
    public func expireTokens() {
        guard let core = running.withLock({ $0?.core }) else { return }
        let now = core.now()
        core.withState { $0.tokens.expireAll(at: now) }
    }

    private func workFolder() throws -> String {
        let folder =
            configuration.workFolder
            ?? Paths.join(
                ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp", "demo-portal-\(getpid())-\(Identifiers.guid().prefix(8))"
            )
        try Files.makeDirectory(folder)
        return folder
    }
}

/// A value that is set after those who read it were made, and may be exchanged.
private final class Late<Value: Sendable>: Sendable {
    private let storage = Mutex<Value?>(nil)
    var value: Value? { storage.withLock { $0 } }
    func set(_ value: Value?) { storage.withLock { $0 = value } }
}
