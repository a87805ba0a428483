/// Recognises the bundles of a cache by their names: `<prefix>/Lnn/R….bundle`.
struct BundleFiles: Sendable, Hashable {
    /// Raw bytes without a slash at the end; a name need not be UTF-8.
    var prefix: [UInt8]

    /// The bundle and whether the file is the index (`.bundlx`); nil for every other file. A level that does not parse, or a
    /// bundle name that does not, is no bundle.
    func bundle(_ entry: PackageEntry) -> (address: BundleAddress, isIndex: Bool)? {
        guard let (folder, address, isIndex) = Self.split(entry), folder == prefix else { return nil }
        return (address, isIndex)
    }

    /// Cuts a name into the folder above the level, the bundle and its kind.
    static func split(_ entry: PackageEntry) -> (folder: [UInt8], address: BundleAddress, isIndex: Bool)? {
        let parts = entry.rawName.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
        guard !entry.isDirectory, parts.count >= 2 else { return nil }
        let name = String(decoding: parts[parts.count - 1], as: UTF8.self)
        let folder = String(decoding: parts[parts.count - 2], as: UTF8.self)
        guard let dot = name.lastIndex(of: "."), let first = folder.first, first == "L" || first == "l",
            folder.count >= 3, folder.count <= 6, folder.dropFirst().allSatisfy({ ("0"..."9").contains($0) }),
            let level = Int(folder.dropFirst()), let address = BundleAddress(level: level, stem: name[..<dot])
        else { return nil }
        let prefix = Array(parts[0..<(parts.count - 2)].joined(separator: [UInt8(ascii: "/")]))
        switch name[dot...].lowercased() {
        case ".bundle": return (prefix, address, false)
        case ".bundlx": return (prefix, address, true)
        default: return nil
        }
    }
}
