import Basics

/// The map of one area that is out, as its inventory tells and as its files are found: what a night compares with.
public struct PublishedMap: Sendable, Equatable {
    public var area: String
    /// Its path below the output folder.
    public var generation: String
    /// Milliseconds since 1970.
    public var created: Int
    public var mapID: String?
    /// Of the manifest that made it.
    public var name = ""
    /// The key of the job that put it together.
    public var packageKey: String
    public var parts: [PublishedPart]
    public var layers: [PublishedLayer]
    /// Of the files that no job brought: map document, package information.
    public var condition: PublishedFile.Condition
    /// No layer was left out because it did not come.
    public var isComplete = true

    public init(
        area: String, generation: String, created: Int, mapID: String?, packageKey: String, parts: [PublishedPart],
        layers: [PublishedLayer] = [], condition: PublishedFile.Condition = .whole
    ) {
        self.area = area
        self.generation = generation
        self.created = created
        self.mapID = mapID
        self.packageKey = packageKey
        self.parts = parts
        self.layers = layers
        self.condition = condition
    }

    public var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }

    /// Titles may change from night to night and job ids with them; a key says the same under any name.
    public func part(for job: Job) -> PublishedPart? {
        parts.first { $0.key == job.key && $0.kind == job.kind } ?? parts.first { $0.job == job.id }
    }
}

/// What one job brought into a map that is out.
public struct PublishedPart: Sendable, Equatable {
    public var job: String
    public var kind: Job.Kind
    public var key: String
    /// The form that was posted; a style has its address only.
    public var request: ServiceRequest
    public var stamp: SourceStamp
    /// When the run began that fetched it; milliseconds since 1970.
    public var fetched: Int
    /// Of the artifact as it came.
    public var sha256: String
    public var bytes: Int
    public var fileExtension: String
    /// Rows by layer or tiles by level, as proven.
    public var counts: [String: Int]
    public var warnings: [String]
    /// Its file or folder below the generation.
    public var path: String
    public var files: [PublishedFile]
    public var condition: PublishedFile.Condition
    public var layers: [LayerLabel] = []

    public init(
        job: String, kind: Job.Kind, key: String, request: ServiceRequest, stamp: SourceStamp, fetched: Int, sha256: String,
        bytes: Int, fileExtension: String, counts: [String: Int] = [:], warnings: [String] = [], path: String,
        files: [PublishedFile] = [], condition: PublishedFile.Condition = .whole
    ) {
        self.job = job
        self.kind = kind
        self.key = key
        self.request = request
        self.stamp = stamp
        self.fetched = fetched
        self.sha256 = sha256
        self.bytes = bytes
        self.fileExtension = fileExtension
        self.counts = counts
        self.warnings = warnings
        self.path = path
        self.files = files
        self.condition = condition
    }
}

public struct PublishedFile: Sendable, Equatable {
    /// The worst of several is what counts, so in this order.
    public enum Condition: Int, Sendable, Comparable {
        case whole, damaged, missing

        public static func < (first: Condition, second: Condition) -> Bool { first.rawValue < second.rawValue }
    }

    /// Below the generation.
    public var path: String
    public var sha256: String
    public var bytes: Int

    public init(path: String, sha256: String, bytes: Int) {
        self.path = path
        self.sha256 = sha256
        self.bytes = bytes
    }
}

/// A layer as it was when the map was made.
public struct PublishedLayer: Sendable, Hashable {
    public var id: String
    public var title: String
    public var url: String?
    public var verdict: String
    public var rule: String
    public var serviceLayerID: Int?
    public var schema: LayerSchema?
    public var isOfManifest: Bool

    public init(
        id: String, title: String, url: String?, verdict: String, rule: String, serviceLayerID: Int? = nil,
        schema: LayerSchema? = nil, isOfManifest: Bool = false
    ) {
        self.id = id
        self.title = title
        self.url = url
        self.verdict = verdict
        self.rule = rule
        self.serviceLayerID = serviceLayerID
        self.schema = schema
        self.isOfManifest = isOfManifest
    }
}
