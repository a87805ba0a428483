import Basics
import Planning

/// A verified file that goes into a map folder, and the job that brought it.
public struct PackagedPart: Sendable, Equatable {
    public var job: Job
    /// Where the artifact is.
    public var source: String
    public var sha256: String
    public var bytes: Int
    /// "geodatabase", "tpkx", "tpk", "vtpk"; "zip" for a style, which is unpacked.
    public var fileExtension: String
    /// Rows by layer or tiles by level, as proven.
    public var counts: [String: Int]
    public var warnings: [String]
    /// When the run began that fetched it; milliseconds since 1970.
    public var fetched: Int
    /// Not nil: it was not fetched, but is taken over from the map that is out.
    public var kept: KeptPart?
    /// Why its job brought nothing new: the part is stale.
    public var failure: Failure?

    public init(
        job: Job, source: String, sha256: String, bytes: Int, fileExtension: String, counts: [String: Int], warnings: [String],
        fetched: Int = 0, kept: KeptPart? = nil
    ) {
        self.job = job
        self.source = source
        self.sha256 = sha256
        self.bytes = bytes
        self.fileExtension = fileExtension
        self.counts = counts
        self.warnings = warnings
        self.fetched = kept?.part.fetched ?? fetched
        self.kept = kept
    }

    /// What a map that is out has of a job that failed.
    public init(job: Job, standingIn kept: KeptPart, because failure: Failure) {
        let part = kept.part
        self.init(
            job: job, source: "", sha256: part.sha256, bytes: part.bytes, fileExtension: part.fileExtension, counts: part.counts,
            warnings: part.warnings, kept: kept)
        self.failure = failure
    }

    /// What its bytes follow from: a part that stays keeps what it was fetched with.
    var key: String { kept?.part.key ?? job.key }
    var stamp: SourceStamp { kept?.part.stamp ?? job.stamp }

    /// Lower-case UUIDs with dashes, as the runtime names its files (formats.md 4.2); the same every night, because made of the
    /// job's id.
    var stem: String { Self.uuid(job.id) }

    /// File or, for a style, folder name.
    var name: String { job.kind == .style ? stem : "\(stem).\(fileExtension)" }

    static func uuid(_ text: String) -> String {
        let digits = Array(SHA256.hex(of: text).prefix(32))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}

/// A part of the map that is out.
public struct KeptPart: Sendable, Equatable {
    public var part: PublishedPart
    /// The folder of its generation.
    public var folder: String

    public init(part: PublishedPart, folder: String) {
        self.part = part
        self.folder = folder
    }
}
