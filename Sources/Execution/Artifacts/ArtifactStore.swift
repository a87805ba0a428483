import Basics
import Glibc
import Scheduling
import Transport

/// `<state>/artifacts/ab/<sha256>`: files named by their content, read-only; and `<state>/partial/` for downloads in progress.
/// All calls block.
public struct ArtifactStore: Sendable {
    public var root: String

    public init(state: String) { root = state }

    public func path(_ sha256: String) -> String { "\(root)/artifacts/\(sha256.prefix(2))/\(sha256)" }

    /// Where the download of a job grows; the same path after a crash, so that it can go on.
    public func partialPath(key: String) -> String { "\(root)/partial/\(key).download" }

    func downloadTarget(key: String) -> DownloadTarget { DownloadTarget(path: partialPath(key: key)) }

    /// What is known about the whole file at `partialPath`, and about what became of it.
    public func receiptPath(key: String) -> String { partialPath(key: key) + ".receipt" }

    public func prepare() throws(SystemError) {
        try Files.makeDirectory("\(root)/artifacts", mode: 0o700)
        try Files.makeDirectory("\(root)/partial", mode: 0o700)
    }

    public func dropPartial(key: String) throws(SystemError) {
        try Files.remove(partialPath(key: key))
        try Files.remove(downloadTarget(key: key).recordPath)
        try Files.remove(receiptPath(key: key))
    }

    /// Moves a proven file in: flushed first, then renamed, so a name in the store always has its whole content.
    public func adopt(_ path: String, sha256: String) throws(SystemError) {
        let destination = self.path(sha256)
        try Files.syncFile(path)
        chmod(path, 0o444)
        try Files.makeDirectory(Paths.parent(destination), mode: 0o700)
        try Files.rename(path, to: destination)
    }

    /// An artifact counts only with its recorded size and hash (cases D1): existence proves nothing.
    public func isWhole(_ artifact: ArtifactReference) -> Bool {
        Self.isFile(path(artifact.sha256), sha256: artifact.sha256, bytes: artifact.bytes)
    }

    static func isFile(_ path: String, sha256: String, bytes: Int) -> Bool {
        guard let size = try? Files.size(path), size == bytes else { return false }
        return (try? SHA256.hex(ofFile: path)) == sha256
    }

    /// Removes every artifact and every half download that nobody names. Generations hold their own links, so they lose nothing.
    public func prune(keeping hashes: Set<String>, downloads keys: Set<String>) throws(SystemError) {
        for name in try Files.list("\(root)/partial") {
            let key = String(name.prefix { $0 != "." })
            if !keys.contains(key) { try Files.remove("\(root)/partial/\(name)") }
        }
        let folder = "\(root)/artifacts"
        for prefix in try Files.list(folder) {
            for name in try Files.list("\(folder)/\(prefix)") where !hashes.contains(name) {
                try Files.remove("\(folder)/\(prefix)/\(name)")
            }
        }
    }
}
