import CLibcurl

/// A URL taken apart by libcurl, so that it means the same here as when it is fetched.
public struct WebAddress: Sendable, Hashable {
    /// Lower case.
    public let scheme: String
    /// Lower case.
    public let host: String
    public let port: Int
    /// The whole URL, normalised by libcurl.
    public let text: String
    /// Percent-encoded, without the question mark.
    public let query: String?

    /// Nil for what is not an absolute http or https URL.
    public init?(_ text: String) { self.init(text, base: nil) }

    /// Resolves what a `Location` header says, which may be relative and may hold spaces.
    public init?(_ reference: String, relativeTo base: WebAddress) { self.init(reference, base: base.text) }

    private init?(_ text: String, base: String?) {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
        if let base, curl_url_set(handle, CURLUPART_URL, base, flags) != CURLUE_OK { return nil }
        guard curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: handle)?.lowercased(),
            let host = Self.part(CURLUPART_HOST, of: handle)?.lowercased(), !host.isEmpty,
            let whole = Self.part(CURLUPART_URL, of: handle)
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.text = whole
        query = Self.part(CURLUPART_QUERY, of: handle)
        port = Self.part(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap { Int($0) } ?? 0
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    public var isHTTP: Bool { scheme == "http" || scheme == "https" }

    /// Who may see the credentials of a request: same scheme, host and port.
    public var origin: String { "\(scheme)://\(host):\(port)" }

    /// The URL with another query, or none.
    func replacing(query: String?) -> WebAddress? {
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        return WebAddress(String(text[..<end]) + (query.map { "?" + $0 } ?? ""))
    }
}
