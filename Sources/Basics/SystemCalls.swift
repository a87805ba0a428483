import Glibc

/// A system call that failed: which one, on what, with the `errno` it left.
public struct SystemError: Error, Hashable, Sendable {
    public var call: String
    public var path: String
    public var code: Int32

    public init(call: String, path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }

    public var isNotFound: Bool { code == ENOENT }
    public var message: String { String(cString: strerror(code)) }
}

extension SystemError {
    @discardableResult
    static func check(_ call: String, _ path: String, _ result: Int32) throws(SystemError) -> Int32 {
        if result < 0 { throw SystemError(call: call, path: path, code: errno) }
        return result
    }
}

/// An open file, closed by whoever opened it.
public struct FileDescriptor: Sendable {
    public let raw: Int32
    public let path: String

    public static func open(_ path: String, flags: Int32 = O_RDONLY, mode: mode_t = 0o644) throws(SystemError) -> FileDescriptor {
        let raw = try SystemError.check("open", path, Glibc.open(path, flags | O_CLOEXEC, mode))
        return FileDescriptor(raw: raw, path: path)
    }

    public func close() { _ = Glibc.close(raw) }

    public static func withOpen<Result>(
        _ path: String, flags: Int32 = O_RDONLY, mode: mode_t = 0o644, _ body: (FileDescriptor) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let file = try open(path, flags: flags, mode: mode)
        defer { file.close() }
        return try body(file)
    }

    /// Bytes read; 0 at the end.
    public func read(into buffer: inout [UInt8]) throws(SystemError) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(raw, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            if errno != EINTR { throw SystemError(call: "read", path: path, code: errno) }
        }
    }

    public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(raw, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(call: "write", path: path, code: errno)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    public func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
        let result: Result<Void, SystemError> = bytes.withUnsafeBytes { buffer in
            do throws(SystemError) { return .success(try write(buffer)) } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Elsewhere than at its end; a few bytes.
    public func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        let count = try SystemError.check("pwrite", path, Int32(pwrite(raw, bytes, bytes.count, off_t(offset))))
        if count < bytes.count { throw SystemError(call: "pwrite", path: path, code: ENOSPC) }
    }

    public func sync() throws(SystemError) { try SystemError.check("fsync", path, fsync(raw)) }

    /// The bytes and the length, without times and the like.
    public func syncData() throws(SystemError) { try SystemError.check("fdatasync", path, fdatasync(raw)) }
}
