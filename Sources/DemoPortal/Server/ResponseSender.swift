import Basics
import CMicrohttpd
import Formats
import Glibc

/// Turns a `Response` into libmicrohttpd's object and queues it; gives the status and the size of the body.
enum ResponseSender {
    /// - Parameter park: holds a connection back for some seconds without a thread.
    static func queue(
        _ response: Response, to request: Request, on connection: OpaquePointer, park: @escaping (OpaquePointer, Double) -> Void
    ) -> (result: MHD_Result, status: Int, size: Int) {
        var status = response.status
        var headers = response.headers
        let made: (object: OpaquePointer?, size: Int)
        switch response.body {
        case .bytes(let bytes) where response.bytesPerSecond != nil:
            made = paced(bytes, response.bytesPerSecond ?? 1) { park(connection, $0) }
        case .bytes(let bytes):
            if let damaged = damaged(response, bytes) {
                made = damaged
            } else if let packed = packed(bytes, response, request) {
                headers += [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
                made = (buffer(packed), packed.count)
            } else {
                made = (buffer(bytes), bytes.count)
            }
        case .file(let path):
            if response.cutAfter != nil || response.announcedLength != nil {
                let bytes = (try? Files.read(path)) ?? []
                headers += validators(of: path)?.headers ?? []
                made = damaged(response, bytes) ?? (buffer(bytes), bytes.count)
            } else {
                let pace = response.bytesPerSecond.map { rate in
                    { (bytes: [UInt8]) in paced(bytes, rate) { park(connection, $0) } }
                }
                made = file(path, request: request, pace: pace, status: &status, headers: &headers)
            }
        }
        guard let object = made.object else { return (ob_mhd_no, 500, 0) }
        defer { MHD_destroy_response(object) }
        MHD_add_response_header(object, "Content-Type", response.contentType)
        for header in headers { MHD_add_response_header(object, header.name, header.value) }
        return (MHD_queue_response(connection, UInt32(status), object), status, made.size)
    }

    /// Text over a kilobyte for a client that takes gzip.
    private static func packed(_ bytes: [UInt8], _ response: Response, _ request: Request) -> [UInt8]? {
        guard bytes.count > 1024, response.contentType.hasPrefix("application/json") || response.contentType.hasPrefix("text/"),
            request.headers["accept-encoding"]?.contains("gzip") == true,
            !response.headers.contains(where: { $0.name == "Content-Encoding" })
        else { return nil }
        return try? Gzip.compress(bytes, level: 1)
    }

    private static func buffer(_ bytes: [UInt8]) -> OpaquePointer? {
        // MUST_COPY: the buffer is only read during the call.
        bytes.withUnsafeBytes {
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), ob_mhd_must_copy)
        }
    }

    /// A whole file or the range that was asked for, with the validators that a resumed download needs.
    private static func file(
        _ path: String, request: Request, pace: (([UInt8]) -> (OpaquePointer?, Int))?, status: inout Int,
        headers: inout [(name: String, value: String)]
    ) -> (OpaquePointer?, Int) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var info = stat()
        guard descriptor >= 0, fstat(descriptor, &info) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            status = 404
            return (buffer([]), 0)
        }
        let size = Int(info.st_size)
        let validators = FileValidators(info)
        headers += validators.headers
        switch ByteRange.answer(to: request.headers, size: size, validators: validators) {
        case .whole:
            if let pace {
                close(descriptor)
                return pace((try? Files.read(path)) ?? [])
            }
            return (MHD_create_response_from_fd64(UInt64(size), descriptor), size)
        case .part(let range):
            status = 206
            headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
            if let pace {
                close(descriptor)
                return pace(Array(((try? Files.read(path)) ?? [])[range]))
            }
            return (
                MHD_create_response_from_fd_at_offset64(UInt64(range.count), descriptor, UInt64(range.lowerBound)), range.count
            )
        case .unsatisfiable:
            close(descriptor)
            status = 416
            headers.append(("Content-Range", "bytes */\(size)"))
            return (buffer([]), 0)
        }
    }

    private static func validators(of path: String) -> FileValidators? {
        var info = stat()
        return stat(path, &info) == 0 ? FileValidators(info) : nil
    }

    /// A body that ends too early: the announced length is never reached and the connection is closed.
    private static func damaged(_ response: Response, _ bytes: [UInt8]) -> (OpaquePointer?, Int)? {
        guard response.cutAfter != nil || response.announcedLength != nil else { return nil }
        let announced = response.announcedLength ?? bytes.count
        let sent = min(response.cutAfter ?? bytes.count, bytes.count, announced)
        let source = CutBody(bytes: bytes, end: sent)
        let pointer = Unmanaged.passRetained(source).toOpaque()
        let object = MHD_create_response_from_callback(UInt64(announced), 1 << 16, readCutBody, pointer, freeCutBody)
        return (object, sent)
    }
}

extension ResponseSender {
    /// A body at a pace. The connection is parked between its pieces.
    fileprivate static func paced(_ bytes: [UInt8], _ rate: Int, park: @escaping (Double) -> Void) -> (OpaquePointer?, Int) {
        let body = PacedBody(bytes: bytes, rate: rate, park: park)
        let pointer = Unmanaged.passRetained(body).toOpaque()
        return (
            MHD_create_response_from_callback(UInt64(bytes.count), 1 << 14, readPacedBody, pointer, freePacedBody), bytes.count
        )
    }
}

private final class PacedBody {
    let bytes: [UInt8]
    let rate: Int
    let park: (Double) -> Void
    let began = ContinuousClock.now

    init(bytes: [UInt8], rate: Int, park: @escaping (Double) -> Void) {
        self.bytes = bytes
        self.rate = rate
        self.park = park
    }

    /// Bytes that may have gone out by now.
    var allowed: Int { Int((ContinuousClock.now - began).seconds * Double(rate)) + 1 }
}

private func readPacedBody(
    closure: UnsafeMutableRawPointer?, position: UInt64, target: UnsafeMutablePointer<CChar>?, limit: Int
) -> Int {
    guard let closure, let target else { return -2 }
    let source = Unmanaged<PacedBody>.fromOpaque(closure).takeUnretainedValue()
    let start = Int(position)
    let count = min(limit, min(source.bytes.count, source.allowed) - start)
    guard count > 0 else {
        source.park(0.1)
        return 0
    }
    source.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(from: .init(rebasing: $0[start..<start + count]))
    }
    return count
}

private func freePacedBody(closure: UnsafeMutableRawPointer?) {
    if let closure { Unmanaged<PacedBody>.fromOpaque(closure).release() }
}

private final class CutBody {
    let bytes: [UInt8]
    let end: Int

    init(bytes: [UInt8], end: Int) {
        self.bytes = bytes
        self.end = end
    }
}

private func readCutBody(closure: UnsafeMutableRawPointer?, position: UInt64, target: UnsafeMutablePointer<CChar>?, limit: Int)
    -> Int
{
    guard let closure, let target else { return -2 }
    let source = Unmanaged<CutBody>.fromOpaque(closure).takeUnretainedValue()
    let start = Int(position)
    // -2 is MHD_CONTENT_READER_END_WITH_ERROR, a macro with a cast that Swift does not import.
    guard start < source.end else { return -2 }
    let count = min(limit, source.end - start)
    source.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(from: .init(rebasing: $0[start..<start + count]))
    }
    return count
}

private func freeCutBody(closure: UnsafeMutableRawPointer?) {
    if let closure { Unmanaged<CutBody>.fromOpaque(closure).release() }
}

extension FileValidators {
    fileprivate init(_ info: stat) {
        self.init(size: Int(info.st_size), seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec)
    }

    fileprivate var headers: [(name: String, value: String)] {
        [("ETag", etag), ("Last-Modified", lastModified), ("Accept-Ranges", "bytes")]
    }
}
