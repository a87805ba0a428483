import Basics

/// Files that jobs left in the output folder, by URL path. Each goes away some time after its last access (REST reference 2.4).
struct ResultFiles: Sendable {
    struct Entry: Sendable {
        var file: String
        var lastAccess: Double
        /// The service whose access rule holds for the file.
        var service: String
        /// Files that are not the portal's own (samples) are only forgotten.
        var isOwned: Bool
        var size: Int
    }

    let lifetime: Double
    private var entries: [String: Entry] = [:]

    init(lifetime: Double) { self.lifetime = lifetime }

    mutating func add(_ urlPath: String, file: String, service: String, isOwned: Bool, size: Int, at now: Double) {
        entries[urlPath] = Entry(file: file, lastAccess: now, service: service, isOwned: isOwned, size: size)
    }

    /// The file, with its clock set back to the start; nil when it is gone.
    mutating func access(_ urlPath: String, at now: Double) -> Entry? {
        expire(at: now)
        entries[urlPath]?.lastAccess = now
        return entries[urlPath]
    }

    /// The files right under a folder, by name.
    mutating func list(under folder: String, at now: Double) -> [(name: String, entry: Entry)] {
        expire(at: now)
        return entries.filter { Paths.parent($0.key) == folder }.map { (Paths.name($0.key), $0.value) }.sorted {
            $0.name < $1.name
        }
    }

    mutating func remove(_ urlPath: String) {
        if let entry = entries.removeValue(forKey: urlPath), entry.isOwned { try? Files.remove(entry.file) }
    }

    private mutating func expire(at now: Double) {
        for (path, entry) in entries where now - entry.lastAccess > lifetime { remove(path) }
    }
}
