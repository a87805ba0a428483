import Basics
import Glibc

/// How job results and errors look: as hosted services of ArcGIS Online, or as ArcGIS Server.
public enum Flavour: String, Sendable, CaseIterable { case agol, server }

/// What a demo portal is started with.
public struct DemoPortalConfiguration: Sendable {
    public enum DataSize: String, Sendable, CaseIterable { case hamlet, town, large }

    /// The address to listen on, an IPv4 address or `localhost`; also the host in all URLs.
    public var host = "127.0.0.1"
    /// 0 takes any free port.
    public var port = 0
    public var flavour = Flavour.server
    public var data = DataSize.town
    /// Seconds that a server job runs, at least.
    public var jobSeconds = 2.0
    /// Jobs that run at once; the others wait.
    public var slots = 4
    /// Seconds after the last access that a result file lives.
    public var resultSeconds = 600.0
    /// Longest life of a token.
    public var tokenMinutes = 120.0
    /// False: the feature services know registered replicas only.
    public var supportsSyncModelNone = true
    /// False: the layers do not say when they were edited.
    public var saysEdits = true
    /// `maxExportTilesCount` of all tile services.
    public var maxExportTiles = 100_000
    /// The largest request body that is taken, as Tomcat's `maxPostSize` has it; more is answered by 413.
    public var maxRequestBytes = 2 << 20
    /// NDJSON, one line a request.
    public var journalFile: String?
    /// Keeps the journal in memory for `DemoPortal.journal`.
    public var keepsJournal = false
    /// The text of a fault file (docs/demo-portal.md).
    public var faults = ""
    /// The text of a users file; nil has the one user `demo`.
    public var users: String?
    /// PEM texts of a certificate and its key: https instead of http.
    public var tlsCertificate: String?
    public var tlsKey: String?
    /// A folder with the Esri-made sample files.
    public var samples: String?
    /// Where results are written; nil makes a folder and removes it at the end.
    public var workFolder: String?
    /// Threads of each listening port.
    public var threads = 3
    /// Seconds since 1970; tests have their own clock.
    public var clock: @Sendable () -> Double = { SystemClock.now() }

    public init() {}
}

enum SystemClock {
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
