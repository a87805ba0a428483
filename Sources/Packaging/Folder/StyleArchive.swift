import Formats

/// A style with its resources as one file, so that the artifact store can hold it: a zip with the paths of an item resource
/// folder (`styles/root.json`, `sprites/…`, `fonts/…`).
public enum StyleArchive {
    public static func write(_ files: [(name: String, bytes: [UInt8])], to path: String) throws(FormatError) {
        let zip = try ZipWriter(path: path)
        for file in files.sorted(by: { $0.name < $1.name }) { try zip.add(file.name, file.bytes) }
        try zip.finish()
    }

    public static func read(_ path: String) throws(FormatError) -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        try ZipReader(path: path).walk { (entry, stream) throws(FormatError) in
            if !entry.isDirectory { files.append((entry.name, try stream.readAll(limit: 1 << 28))) }
        }
        return files
    }
}
