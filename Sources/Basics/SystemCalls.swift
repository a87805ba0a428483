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
    public var message: String {
        switch code {
        case Self.notAFile: "It is not a file but a pipe, a socket or a device"
        case Self.silentPipe: "Nothing more came through the pipe for \(FileDescriptor.pipeSeconds) seconds"
        default: String(cString: strerror(code))
        }
    }

    /// Codes of our own, beside those of `errno`, which are positive.
    public static let notAFile: Int32 = -1
    public static let silentPipe: Int32 = -2
}

extension SystemError {
    @discardableResult
    static func check(_ call: String, _ path: String, _ result: Int32) throws(SystemError) -> Int32 {
        if result < 0 { throw SystemError(call: call, path: path, code: errno) }
        return result
    }
}

/// An open file, or a folder (`O_DIRECTORY`), closed by whoever opened it. Pipes, sockets and devices are refused: somebody who plants one
/// among our files would make a run wait for ever. A caller takes pipes where a person may have named one.
public struct FileDescriptor: Sendable {
    public let raw: Int32
    public let path: String

    /// One that was opened elsewhere.
    public init(raw: Int32, path: String) {
        self.raw = raw
        self.path = path
    }

    public static func open(
        _ path: String, flags: Int32 = O_RDONLY, mode: mode_t = 0o644, takesPipes: Bool = false
    ) throws(SystemError) -> FileDescriptor {
        let file = FileDescriptor(raw: try openWithoutWaiting(path, flags, mode), path: path)
        do throws(SystemError) {
            // The open file is asked, so that nobody can put another in its place in between.
            let kind = try file.status().st_mode & S_IFMT
            let isMeant =
                switch kind {
                case S_IFREG: true
                case S_IFDIR: flags & O_DIRECTORY != 0
                case S_IFIFO: takesPipes
                default: false
                }
            if !isMeant {
                throw SystemError(call: "open", path: path, code: kind == S_IFDIR ? EISDIR : SystemError.notAFile)
            }
        } catch {
            file.close()
            throw error
        }
        return file
    }

    /// `O_NONBLOCK` does not wait for the other end of a pipe, and changes nothing about files but this: one that another program holds a
    /// lease on (Samba, NFS) is refused until it has given it back, for which the kernel gives it 45 seconds.
    private static func openWithoutWaiting(_ path: String, _ flags: Int32, _ mode: mode_t) throws(SystemError) -> Int32 {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let raw = Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)
            if raw >= 0 { return raw }
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK where ContinuousClock.now < deadline: usleep(10_000)
            // A pipe that nobody reads, a socket, a device without a driver.
            case ENXIO: throw SystemError(call: "open", path: path, code: SystemError.notAFile)
            case let code: throw SystemError(call: "open", path: path, code: code)
            }
        }
    }

    public func close() { _ = Glibc.close(raw) }

    public static func withOpen<Result>(
        _ path: String, flags: Int32 = O_RDONLY, mode: mode_t = 0o644, takesPipes: Bool = false,
        _ body: (FileDescriptor) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let file = try open(path, flags: flags, mode: mode, takesPipes: takesPipes)
        defer { file.close() }
        return try body(file)
    }

    func status() throws(SystemError) -> stat {
        var info = stat()
        try SystemError.check("fstat", path, fstat(raw, &info))
        return info
    }

    /// The permission bits.
    public func mode() throws(SystemError) -> UInt32 { try status().st_mode & 0o7777 }

    /// Bytes read; 0 at the end.
    public func read(into buffer: inout [UInt8]) throws(SystemError) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(raw, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            if errno != EINTR { throw SystemError(call: "read", path: path, code: errno) }
        }
    }

    /// For a pipe whose other end is slow or dripping.
    static let pipeSeconds = 60

    /// What is left to its end; more than `limit` bytes are `EFBIG`, found out before they fill the memory.
    public func readAll(limit: Int = .max) throws(SystemError) -> [UInt8] {
        let deadline = ContinuousClock.now + .seconds(Self.pipeSeconds)
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count: Int
            do throws(SystemError) {
                count = try read(into: &buffer)
            } catch {
                guard error.code == EAGAIN else { throw error }
                try waitForBytes(until: deadline)
                continue
            }
            if count == 0 { return content }
            if content.count + count > limit { throw SystemError(call: "read", path: path, code: EFBIG) }
            content.append(contentsOf: buffer[0..<count])
        }
    }

    private func waitForBytes(until deadline: ContinuousClock.Instant) throws(SystemError) {
        let left = (deadline - ContinuousClock.now).milliseconds
        var wait = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        if left <= 0 || poll(&wait, 1, Int32(left)) == 0 {
            throw SystemError(call: "read", path: path, code: SystemError.silentPipe)
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
