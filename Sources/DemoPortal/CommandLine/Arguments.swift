import Basics

/// The command line of `demo-portal`.
public struct DemoPortalArguments: Sendable {
    public var configuration = DemoPortalConfiguration()
    public var readyFile: String?
    public var faultsFile: String?
    public var usersFile: String?
    public var certificateFile: String?
    public var keyFile: String?
    public var wantsHelp = false

    public struct UsageError: Error, Sendable, Hashable {
        public var message: String
    }

    private enum ReplicaKinds: String, CaseIterable { case any, registered }
    private enum EditDates: String, CaseIterable { case shown, hidden }

    static let flags = [
        "--port", "--host", "--ready-file", "--journal", "--flavour", "--data", "--job-seconds", "--slots", "--result-seconds",
        "--token-minutes", "--max-export-tiles", "--max-request-bytes", "--replicas", "--edit-dates", "--faults", "--users",
        "--samples", "--tls-cert",
        "--tls-key", "--help",
    ]

    /// `--name value` or `--name=value`.
    public init(_ arguments: [String]) throws(UsageError) {
        configuration.port = 8080
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--help" || word == "-h" {
                wantsHelp = true
                continue
            }
            let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard Self.flags.contains(halves[0]) else {
                let hint = nearestName(to: halves[0], among: Self.flags).map { " Did you mean \($0)?" } ?? ""
                throw UsageError(message: "unknown option \(halves[0]).\(hint)")
            }
            guard let value = halves.count == 2 ? halves[1] : rest.popFirst() else {
                throw UsageError(message: "\(halves[0]) needs a value.")
            }
            try set(halves[0], value)
        }
    }

    private mutating func set(_ flag: String, _ value: String) throws(UsageError) {
        switch flag {
        case "--port": configuration.port = Int(try number(flag, value, in: 0...65535))
        case "--host": configuration.host = value
        case "--ready-file": readyFile = value
        case "--journal": configuration.journalFile = value
        case "--flavour": configuration.flavour = try word(flag, value)
        case "--data": configuration.data = try word(flag, value)
        case "--job-seconds": configuration.jobSeconds = try number(flag, value, in: 0...86_400)
        case "--slots": configuration.slots = Int(try number(flag, value, in: 1...10_000))
        case "--result-seconds": configuration.resultSeconds = try number(flag, value, in: 0...1_000_000)
        case "--token-minutes": configuration.tokenMinutes = try number(flag, value, in: 0.01...21_600)
        case "--max-export-tiles": configuration.maxExportTiles = Int(try number(flag, value, in: 1...1_000_000_000))
        case "--max-request-bytes": configuration.maxRequestBytes = Int(try number(flag, value, in: 1_000...1_000_000_000))
        case "--replicas":
            let kind: ReplicaKinds = try word(flag, value)
            configuration.supportsSyncModelNone = kind == .any
        case "--edit-dates":
            let dates: EditDates = try word(flag, value)
            configuration.saysEdits = dates == .shown
        case "--faults": faultsFile = value
        case "--users": usersFile = value
        case "--tls-cert": certificateFile = value
        case "--tls-key": keyFile = value
        default: configuration.samples = value
        }
    }

    private func number(_ flag: String, _ value: String, in range: ClosedRange<Double>) throws(UsageError) -> Double {
        guard let number = Double(value), range.contains(number) else {
            throw UsageError(message: "\(flag) takes a number from \(range.lowerBound) to \(range.upperBound), not \(value).")
        }
        return number
    }

    private func word<Word: RawRepresentable<String> & CaseIterable>(_ flag: String, _ value: String) throws(UsageError) -> Word {
        guard let word = Word(rawValue: value) else {
            throw UsageError(message: "\(flag) is \(Word.allCases.map(\.rawValue).joined(separator: " or ")), not \(value).")
        }
        return word
    }

    public static let help = """
        demo-portal --port 8080 --data town

        An ArcGIS-like portal and server with invented data, for demonstrations and tests of offline-batch.

          --port N              port to listen on; 0 takes any free one (8080)
          --host H              IPv4 address to listen on (127.0.0.1)
          --ready-file F        written when listening: {"portal", "server", "port"}
          --journal F           one JSON line a request; secrets are replaced
          --flavour agol|server how results look: hosted (signed URLs) or ArcGIS Server (server)
          --data hamlet|town|large  400, 20,000 or 500,000 features (town)
          --job-seconds S       how long a server job runs at least (2)
          --slots N             jobs that run at once; the others wait (4)
          --result-seconds S    life of a result file after its last access (600)
          --token-minutes M     longest life of a token (120)
          --max-export-tiles N  maxExportTilesCount of the tile services (100000)
          --max-request-bytes N larger request bodies are refused by HTTP 413 (2097152)
          --replicas any|registered  registered: the server keeps account of every replica (any)
          --edit-dates shown|hidden  hidden: layers do not say when they were edited (shown)
          --faults F            YAML list of things that go wrong
          --users F             YAML with users, apps, API keys and what needs sign-in
          --tls-cert F          PEM file: https with this certificate; --host is the name in all URLs
          --tls-key F           PEM file with its key (in the certificate's file)
          --samples DIR         serve the Esri-made sample files as results of four more services

        Ends on SIGTERM or SIGINT. Faults and users are described in docs/demo-portal.md.
        """
}
