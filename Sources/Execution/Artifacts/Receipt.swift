import Basics
import Scheduling

/// What a finished download is, written before anything else happens to it: a process that is killed while it verifies, or before it
/// could record the artifact, leaves a file that need not be fetched again.
struct Receipt: Codable, Sendable, Equatable {
    /// Where the file came from. Another job's result is another file, whatever its key.
    var url: String
    var sha256: String
    var bytes: Int
    /// Once it is proven; the file is in the store then, or about to be.
    var artifact: ArtifactReference?
}

extension ArtifactStore {
    func write(_ receipt: Receipt, key: String) throws(SystemError) {
        let text = (try? JSON.encoding(receipt).serialized()) ?? ""
        try Files.writeAtomically(Array(text.utf8), to: receiptPath(key: key), mode: 0o600)
    }

    /// The receipt of a whole download from `url`; it says nothing about whether the file is still there.
    func receipt(key: String, url: String) -> Receipt? {
        guard let bytes = try? Files.read(receiptPath(key: key)), let receipt = try? JSON.parse(bytes).decoded(as: Receipt.self)
        else { return nil }
        return receipt.url == url ? receipt : nil
    }

    /// The file is at its place of downloads, whole. Blocks.
    func hasDownload(_ receipt: Receipt, key: String) -> Bool {
        Self.isFile(partialPath(key: key), sha256: receipt.sha256, bytes: receipt.bytes)
    }
}
