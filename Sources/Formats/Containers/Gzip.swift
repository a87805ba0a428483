import CZlib

/// What zlib said of a compressed stream.
public struct GzipError: Error, Hashable, Sendable {
    public enum Code: String, Hashable, Sendable { case damaged, truncated, tooLarge, trailingBytes, outOfMemory }

    public var code: Code
    /// zlib's own words, where it had any.
    public var detail: String?

    public init(code: Code, detail: String? = nil) {
        self.code = code
        self.detail = detail
    }
}

/// Whole gzip streams in memory, through zlib.
public enum Gzip {
    public static let magic: [UInt8] = [0x1F, 0x8B]

    /// The same bytes give the same stream: the header carries no name and no time.
    public static func compress(_ bytes: [UInt8], level: Int = 6) throws(GzipError) -> [UInt8] {
        // zlib counts in 32 bits.
        guard bytes.count < 1 << 31 else { throw GzipError(code: .tooLarge) }
        var stream = z_stream()
        guard ob_deflate_init_gzip(&stream, Int32(level)) == Z_OK else { throw GzipError(code: .outOfMemory) }
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        var input = bytes
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        // The buffer has the size that zlib's bound asks for, so one call ends the stream.
        guard status == Z_STREAM_END else { throw GzipError(code: .damaged, detail: words(stream)) }
        output.removeLast(output.count - Int(stream.total_out))
        return output
    }

    /// Decompresses gzip (also of several members) or zlib data. Fails once the output would pass `limit` bytes; zero bytes
    /// behind the stream are padding, anything else is an error.
    public static func decompress(_ bytes: some Collection<UInt8>, limit: Int) throws(GzipError) -> [UInt8] {
        guard bytes.count < 1 << 31 else { throw GzipError(code: .tooLarge) }
        var stream = z_stream()
        guard ob_inflate_init_auto(&stream) == Z_OK else { throw GzipError(code: .outOfMemory) }
        defer { inflateEnd(&stream) }
        var input = Array(bytes)
        let count = input.count
        return try input.withUnsafeMutableBufferPointer { (source) -> Result<[UInt8], GzipError> in
            do throws(GzipError) {
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(count)
                return .success(try inflateAll(&stream, source, limit: limit))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private static func inflateAll(
        _ stream: inout z_stream, _ source: UnsafeMutableBufferPointer<UInt8>, limit: Int
    ) throws(GzipError) -> [UInt8] {
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let status = piece.withUnsafeMutableBufferPointer { target in
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                return inflate(&stream, Z_NO_FLUSH)
            }
            let made = piece.count - Int(stream.avail_out)
            if output.count + made > limit { throw GzipError(code: .tooLarge) }
            output.append(contentsOf: piece[0..<made])
            switch status {
            case Z_STREAM_END:
                let rest = source[(source.count - Int(stream.avail_in))...]
                if rest.allSatisfy({ $0 == 0 }) { return output }
                guard rest.starts(with: magic), inflateReset(&stream) == Z_OK else { throw GzipError(code: .trailingBytes) }
            case Z_OK:
                if made == 0 && stream.avail_in == 0 { throw GzipError(code: .truncated) }
            case Z_BUF_ERROR: throw GzipError(code: .truncated)
            case Z_MEM_ERROR: throw GzipError(code: .outOfMemory)
            default: throw GzipError(code: .damaged, detail: words(stream))
            }
        }
    }

    private static func words(_ stream: z_stream) -> String? { stream.msg.map { String(cString: $0) } }
}
