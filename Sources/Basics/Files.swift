import Glibc

/// File operations whose failure has a path and an `errno`, and whose success survives a power cut.
public enum Files {
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Nothing is there. Where nobody may look there may be something.
    public static func isAbsent(_ path: String) -> Bool { access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno) }

    /// Of a file; a pipe or device, which has none, is an error. Says so to libraries, too, that open files by their names.
    public static func size(_ path: String) throws(SystemError) -> Int {
        var info = stat()
        try SystemError.check("stat", path, stat(path, &info))
        guard [S_IFREG, S_IFDIR].contains(info.st_mode & S_IFMT) else {
            throw SystemError(call: "stat", path: path, code: SystemError.notAFile)
        }
        return Int(info.st_size)
    }

    public static func isDirectory(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && (info.st_mode & S_IFMT) == S_IFDIR
    }

    /// The permission bits of what a path leads to.
    public static func mode(_ path: String) -> UInt32? {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & 0o7777 : nil
    }

    /// - Parameters:
    ///   - limit: a longer file is `EFBIG`.
    ///   - takesPipes: for what a person names: it may come from another program (`/dev/stdin`, `<(…)`), which has a minute for it.
    public static func read(_ path: String, limit: Int = .max, takesPipes: Bool = false) throws(SystemError) -> [UInt8] {
        try FileDescriptor.withOpen(path, takesPipes: takesPipes) { (file) throws(SystemError) in
            try file.readAll(limit: limit)
        }
    }

    /// The names in a folder, sorted; without `.` and `..`.
    public static func list(_ path: String) throws(SystemError) -> [String] {
        guard let folder = opendir(path) else { throw SystemError(call: "opendir", path: path, code: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Makes the folder and its parents; an existing folder is fine.
    public static func makeDirectory(_ path: String, mode: mode_t = 0o755) throws(SystemError) {
        if path.isEmpty || isDirectory(path) { return }
        let parent = Paths.parent(path)
        if parent != path { try makeDirectory(parent, mode: mode) }
        if mkdir(path, mode) != 0 && errno != EEXIST { throw SystemError(call: "mkdir", path: path, code: errno) }
    }

    /// Makes a folder that nobody else has made before; its parent is there.
    public static func makeNewDirectory(_ path: String, mode: mode_t = 0o755) throws(SystemError) {
        try SystemError.check("mkdir", path, mkdir(path, mode))
    }

    /// Makes an empty file with this mode unless it is there; a symbolic link is refused.
    public static func makeFile(_ path: String, mode: mode_t) throws(SystemError) {
        try FileDescriptor.open(path, flags: O_WRONLY | O_CREAT | O_NOFOLLOW, mode: mode).close()
    }

    /// Replaces `path` by the bytes in one step: a reader sees the old file or the new one, also after a power cut. A pipe gives way, too; a
    /// device does not.
    public static func writeAtomically(_ bytes: some Collection<UInt8>, to path: String, mode: mode_t = 0o644) throws(SystemError)
    {
        // `-o /dev/null` must not put a file there.
        var info = stat()
        if lstat(path, &info) == 0, [S_IFCHR, S_IFBLK].contains(info.st_mode & S_IFMT) {
            throw SystemError(call: "replace", path: path, code: SystemError.notAFile)
        }
        let temporary = path + ".\(getpid()).partial"
        // Whatever stands there may be a link that somebody else has laid: it goes, and is never written through.
        unlink(temporary)
        do {
            try FileDescriptor.withOpen(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode) {
                (file) throws(SystemError) in
                try file.write(Array(bytes)[...])
                try file.sync()
            }
            try rename(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// `rename(2)`, then the folder is flushed so that the new name survives a power cut.
    public static func rename(_ source: String, to destination: String) throws(SystemError) {
        try SystemError.check("rename", destination, Glibc.rename(source, destination))
        try syncDirectory(Paths.parent(destination))
    }

    /// Cuts off what is behind the first `size` bytes.
    public static func truncate(_ path: String, to size: Int) throws(SystemError) {
        try SystemError.check("truncate", path, Glibc.truncate(path, off_t(size)))
    }

    public static func syncDirectory(_ path: String) throws(SystemError) {
        try FileDescriptor.withOpen(path.isEmpty ? "." : path, flags: O_RDONLY | O_DIRECTORY) { (folder) throws(SystemError) in
            try folder.sync()
        }
    }

    public static func syncFile(_ path: String) throws(SystemError) {
        try FileDescriptor.withOpen(path) { (file) throws(SystemError) in try file.sync() }
    }

    /// Removes a file or a whole folder; what is not there is fine. Symbolic links are removed, not followed.
    public static func remove(_ path: String) throws(SystemError) {
        var info = stat()
        if lstat(path, &info) != 0 {
            if errno == ENOENT { return }
            throw SystemError(call: "lstat", path: path, code: errno)
        }
        if (info.st_mode & S_IFMT) == S_IFDIR {
            for name in try list(path) { try remove(path + "/" + name) }
            try SystemError.check("rmdir", path, rmdir(path))
        } else {
            try SystemError.check("unlink", path, unlink(path))
        }
    }

    /// Hard link, or a copy where the file system has none between the two places.
    public static func linkOrCopy(_ source: String, to destination: String) throws(SystemError) {
        if link(source, destination) == 0 { return }
        guard errno == EXDEV || errno == EPERM || errno == EMLINK || errno == ENOTSUP else {
            throw SystemError(call: "link", path: destination, code: errno)
        }
        try copy(source, to: destination)
    }

    public static func copy(_ source: String, to destination: String) throws(SystemError) {
        try requireSpace(for: size(source), in: Paths.parent(destination))
        try FileDescriptor.withOpen(source) { (input) throws(SystemError) in
            try FileDescriptor.withOpen(destination, flags: O_WRONLY | O_CREAT | O_TRUNC) { (output) throws(SystemError) in
                var buffer = [UInt8](repeating: 0, count: 1 << 20)
                while true {
                    let count = try input.read(into: &buffer)
                    if count == 0 { return }
                    try output.write(buffer[0..<count])
                }
            }
        }
    }

    /// Refuses at once what would fill the disk in an hour.
    public static func requireSpace(for bytes: Int, in folder: String) throws(SystemError) {
        let free = try freeSpace(at: folder.isEmpty ? "." : folder)
        if free < bytes {
            throw SystemError(call: "\(bytes) bytes to come, \(free) free in \(folder)", path: folder, code: ENOSPC)
        }
    }

    /// Bytes that an ordinary user may still write on the file system of `path`.
    public static func freeSpace(at path: String) throws(SystemError) -> Int {
        var info = statvfs()
        try SystemError.check("statvfs", path, statvfs(path, &info))
        return Int(info.f_bavail) * Int(info.f_frsize)
    }
}
