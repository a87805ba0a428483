import Basics
import Foundation
import Synchronization

/// What the routes share: configuration, URLs, the state that requests change, and the workshop that makes files.
final class Core: Sendable {
    struct State: Sendable {
        var jobs: JobTable
        var records: [String: JobRecord] = [:]
        var files: ResultFiles
        var replicas: [String: ReplicaRecord] = [:]
        var tokens = TokenTable()
        var faults: FaultTable
    }

    let configuration: DemoPortalConfiguration
    let users: UserDirectory
    let places: Places
    let workFolder: String
    private let state: Mutex<State>
    private let workshop = Workshop()

    init(configuration: DemoPortalConfiguration, users: UserDirectory, faults: [FaultRule], places: Places, workFolder: String) {
        self.configuration = configuration
        self.users = users
        self.places = places
        self.workFolder = workFolder
        var initial = State(
            jobs: JobTable(seconds: configuration.jobSeconds, slots: configuration.slots),
            files: ResultFiles(lifetime: configuration.resultSeconds), faults: FaultTable(faults))
        for token in users.refreshTokens {
            guard let identity = users.identity(of: token.user) else { continue }
            initial.tokens.addRefresh(
                token.token, identity: identity, client: token.clientID, expires: configuration.clock() + 1_209_600)
        }
        state = Mutex(initial)
    }

    var flavour: Flavour { configuration.flavour }
    func now() -> Double { configuration.clock() }

    func withState<Result: Sendable>(_ body: (inout State) -> sending Result) -> Result { state.withLock { body(&$0) } }

    /// Submits a job and has its file made right away, so that it is there when the job's time is over.
    func submit(_ record: JobRecord, fault: JobTable.Fault?, make: @escaping @Sendable () throws -> JobRecord.Product) {
        withState { state in
            // A portal that runs for weeks keeps a day of jobs.
            let past = record.submitted - 86_400
            state.jobs.forget(before: past)
            state.records = state.records.filter { $0.value.submitted > past || state.jobs.entry($0.key) != nil }
            state.jobs.submit(record.id, fault: fault, at: record.submitted)
            state.records[record.id] = record
        }
        workshop.queue(for: record.kind).addOperation { [self] in
            if case .finished = withState({ $0.jobs.phase(of: record.id, at: now()) }) { return }
            let result = Result { try make() }
            let time = now()
            withState { state in
                switch result {
                case .success(let product):
                    state.records[record.id]?.product = product
                    state.jobs.artefactReady(record.id, at: time)
                case .failure(let error):
                    state.jobs.artefactFailed(record.id, message: Self.message(error), at: time)
                }
            }
        }
    }

    /// Waits for the files that are being made.
    func finishWork() { workshop.finish() }

    /// Nothing new is begun. What is being made goes on to a file that nobody will see: a big package takes minutes, and a
    /// portal that was told to end does not wait for it.
    func abandonWork() { workshop.abandon() }

    private static func message(_ error: any Error) -> String {
        (error as? RESTError)?.details.first ?? (error as? RESTError)?.message ?? "\(error)"
    }

    /// A file of the work folder, named so that no two meet.
    func newFile(_ name: String) throws(SystemError) -> String {
        let folder = Paths.join(workFolder, Identifiers.job())
        try Files.makeDirectory(folder)
        return Paths.join(folder, name)
    }
}

/// Threads that make files. Each kind has its own two, so that a replica does not stand behind somebody's thousand tiles.
final class Workshop: Sendable {
    private let replicas = queue()
    private let rasters = queue()
    private let vectors = queue()

    func queue(for kind: JobRecord.Kind) -> OperationQueue {
        switch kind {
        case .replica: replicas
        case .export(let isVector, _): isVector ? vectors : rasters
        case .estimate: vectors
        }
    }

    func finish() { for queue in [replicas, rasters, vectors] { queue.waitUntilAllOperationsAreFinished() } }
    func abandon() { for queue in [replicas, rasters, vectors] { queue.cancelAllOperations() } }

    private static func queue() -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 2
        return queue
    }
}

/// A job with what its answers need beside the state.
struct JobRecord: Sendable {
    enum Kind: Sendable {
        case replica(ReplicaRecord)
        /// `isVector` decides the job's address.
        case export(isVector: Bool, tiles: Int)
        case estimate(tiles: Int, bytes: Int)
    }

    /// What the job left.
    struct Product: Sendable {
        /// Path of the file's URL on the listener that serves it; empty for a job without file.
        var urlPath = ""
        var file = ""
        var size = 0
        var isOwned = true
        /// AGOL: the query that signs the URL.
        var signature = ""
    }

    var id: String
    /// `Water_Network/FeatureServer`
    var service: String
    var kind: Kind
    var submitted: Double
    var parameters: [(name: String, value: String)] = []
    var fault: JobTable.Fault?
    var product: Product?
    /// The result was put among the files that can be fetched.
    var isPublished = false
}
