import CCrypto

/// SHA-256 through libcrypto, fed piece by piece.
public final class SHA256 {
    private let context: OpaquePointer

    public init() {
        context = EVP_MD_CTX_new()
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
    }

    deinit { EVP_MD_CTX_free(context) }

    public func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        EVP_DigestUpdate(context, base, bytes.count)
    }

    public func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes(update) }

    /// The digest of everything so far, in lower-case hex. Call once.
    public func finalize() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &digest, nil)
        return digest.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }

    public static func hex(of bytes: some Sequence<UInt8>) -> String {
        let hash = SHA256()
        Array(bytes).withUnsafeBytes(hash.update)
        return hash.finalize()
    }

    public static func hex(of text: String) -> String { hex(of: text.utf8) }

    /// Reads the file in pieces of 1 MiB. Blocks: call it through `offPool`.
    public static func hex(ofFile path: String) throws(SystemError) -> String {
        let hash = SHA256()
        try FileDescriptor.withOpen(path) { (file) throws(SystemError) in
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                let count = try file.read(into: &buffer)
                if count == 0 { return }
                buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
            }
        }
        return hash.finalize()
    }
}
