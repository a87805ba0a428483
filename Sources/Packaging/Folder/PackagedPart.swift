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

    public init(
        job: Job, source: String, sha256: String, bytes: Int, fileExtension: String, counts: [String: Int], warnings: [String]
    ) {
        self.job = job
        self.source = source
        self.sha256 = sha256
        self.bytes = bytes
        self.fileExtension = fileExtension
        self.counts = counts
        self.warnings = warnings
    }

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
