import Foundation
import Glibc

/// What `lstat(2)` says of a path: a symbolic link is seen, never followed.
public struct FileStatus: Sendable, Hashable {
    public enum Kind: Sendable, Hashable { case file, folder, link, other }

    /// The same file, whatever its names: hard links share it.
    public struct Identity: Sendable, Hashable {
        public var device: UInt64
        public var inode: UInt64
    }

    public var kind: Kind
    public var bytes: Int
    /// What it takes on the disk (`st_blocks`).
    public var diskBytes: Int
    public var identity: Identity
    /// Names of the file, wherever they are.
    public var links: Int
    public var modified: Date
    public var mode: UInt32
    public var owner: UInt32

    public static func of(_ path: String) throws(SystemError) -> FileStatus {
        var info = stat()
        try SystemError.check("lstat", path, lstat(path, &info))
        let kind: Kind =
            switch info.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        return FileStatus(
            kind: kind, bytes: Int(info.st_size), diskBytes: Int(info.st_blocks) * 512,
            identity: Identity(device: UInt64(info.st_dev), inode: UInt64(info.st_ino)), links: Int(info.st_nlink),
            modified: Date(timeIntervalSince1970: Double(info.st_mtim.tv_sec)), mode: info.st_mode, owner: info.st_uid)
    }

    /// A folder itself, not a link to one.
    public static func isFolder(_ path: String) -> Bool { (try? of(path))?.kind == .folder }
}
