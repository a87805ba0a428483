/// How an address is reached, and by whose word. Holds no password.
public enum ProxyRoute: Codable, Sendable, Hashable {
    /// Nobody names a proxy.
    case direct
    /// There is a proxy, and this entry of a list keeps the host from it.
    case excepted(entry: String, by: Source)
    /// `url` is scheme, host and port alone; `user` is whom the proxy is told.
    case proxy(url: String, user: String?, by: Source)

    public enum Source: Codable, Sendable, Hashable {
        /// Of `CurlConfiguration`, that is, of the manifest.
        case configuration
        /// Of the environment, by its name.
        case variable(String)
    }
}
