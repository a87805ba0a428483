import CCrypto

/// HMAC with SHA-256 (RFC 2104), through libcrypto.
public enum HMAC {
    /// 32 bytes.
    public static func sha256(_ message: some Sequence<UInt8>, key: some Sequence<UInt8>) -> [UInt8] {
        let (message, key) = (Array(message), Array(key))
        var digest = [UInt8](repeating: 0, count: 32)
        // An empty key has no address; libcrypto takes any with a length of 0.
        _ = CCrypto.HMAC(EVP_sha256(), key.isEmpty ? [0] : key, Int32(key.count), message, message.count, &digest, nil)
        return digest
    }
}
