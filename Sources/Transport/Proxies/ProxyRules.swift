import Foundation

/// Decides through which proxy an address is reached. libcurl is told the decision and makes none itself, so what people are told
/// (`route`) is what happens (`proxy`).
struct ProxyRules {
    var configured: CurlConfiguration.Proxy?
    var variables: ProxyVariables

    /// nil: directly.
    func proxy(for address: WebAddress) -> CurlConfiguration.Proxy? {
        exception(for: address.host) == nil ? candidate(for: address.scheme)?.proxy : nil
    }

    func route(to address: WebAddress) -> ProxyRoute {
        guard let (proxy, source) = candidate(for: address.scheme) else { return .direct }
        if let (entry, list) = exception(for: address.host) { return .excepted(entry: entry, by: list) }
        let shown = Self.shown(proxy.url)
        return .proxy(url: shown.url, user: proxy.user?.name ?? shown.user, by: source)
    }

    private func candidate(for scheme: String) -> (proxy: CurlConfiguration.Proxy, source: ProxyRoute.Source)? {
        if let configured { return (configured, .configuration) }
        return variables.proxy(for: scheme).map { (CurlConfiguration.Proxy(url: $0.value), .variable($0.name)) }
    }

    private func exception(for host: String) -> (entry: String, list: ProxyRoute.Source)? {
        if let own = configured?.exceptions {
            return ProxyExceptions(list: own.joined(separator: ",")).entry(for: host).map { ($0, .configuration) }
        }
        return variables.exceptions.flatMap { variable in
            ProxyExceptions(list: variable.value).entry(for: host).map { ($0, .variable(variable.name)) }
        }
    }

    /// Variables may hold a name and a password, and need no scheme.
    private static func shown(_ text: String) -> (url: String, user: String?) {
        let parts = text.components(separatedBy: "://")
        let scheme = parts.count > 1 ? parts[0].lowercased() : "http"
        var rest = parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: "://")[...]
        var user: String?
        if let at = rest.lastIndex(of: "@") {
            let name = String(rest[..<at].prefix { $0 != ":" })
            user = name.isEmpty ? nil : name.removingPercentEncoding ?? name
            rest = rest[rest.index(after: at)...]
        }
        return ("\(scheme)://\(rest.prefix { $0 != "/" && $0 != "?" })", user)
    }
}
