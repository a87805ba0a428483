import Basics
import Glibc

extension Manifest {
    /// Of a file of polygons; more than any district has.
    static let maximumFileSize = 256 << 20

    /// Reads a whole file; tests give their own.
    public typealias FileReader = @Sendable (String) throws(SystemError) -> [UInt8]

    public static let fileSystem: FileReader = { (path) throws(SystemError) in
        try Files.read(path, limit: maximumFileSize, takesPipes: true)
    }
}

extension SystemError {
    /// For people: the reason without the name of the call.
    var words: String {
        switch code {
        case ENOENT: "there is no such file"
        case EISDIR: "it is a folder, not a file"
        case EACCES: "reading it is not permitted"
        case EFBIG: "it is too long"
        case SystemError.notAFile: "it is not a file but a pipe, a socket or a device"
        case SystemError.silentPipe: "nothing more came through the pipe"
        default: message
        }
    }
}

/// The places that relative paths of a manifest begin at.
struct ManifestFolder {
    /// Absolute.
    let path: String

    init(ofManifest manifest: String) { path = Self.absolute(Paths.parent(manifest)) }

    func resolve(_ relative: String) -> String {
        relative.hasPrefix("/") ? Self.clean(relative) : Self.clean(Paths.join(path, relative))
    }

    private static func absolute(_ folder: String) -> String {
        if folder.hasPrefix("/") { return clean(folder) }
        guard let current = getcwd(nil, 0) else { return folder }
        defer { free(current) }
        return clean(Paths.join(String(cString: current), folder))
    }

    /// Without `.` and doubled slashes. `..` stays: behind a symbolic link it is not the folder before.
    private static func clean(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
