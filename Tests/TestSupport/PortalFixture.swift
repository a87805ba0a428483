import DemoPortal

/// A demo portal in this process on a free port; it ends with the value. The data is the hamlet: about 400 features.
///
///     let portal = try PortalFixture { $0.flavour = .agol; $0.jobSeconds = 0.2 }
///     portal.portalURL   // http://127.0.0.1:NNNN/portal
public final class PortalFixture: Sendable {
    public let portal: DemoPortal
    public let addresses: DemoPortal.Addresses

    public var portalURL: String { addresses.portal }
    public var serverURL: String { addresses.server }
    public var sharingURL: String { addresses.portal + "/sharing/rest" }
    public func service(_ path: String) -> String { addresses.server + "/rest/services/" + path }
    /// All requests so far.
    public var journal: [JournalEntry] { portal.journal }

    public init(_ configure: (inout DemoPortalConfiguration) -> Void = { _ in }) throws {
        var configuration = DemoPortalConfiguration()
        configuration.data = .hamlet
        configuration.jobSeconds = 0.05
        configuration.keepsJournal = true
        configure(&configuration)
        portal = try DemoPortal(configuration)
        addresses = try portal.start()
    }

    deinit { portal.stop() }
}
