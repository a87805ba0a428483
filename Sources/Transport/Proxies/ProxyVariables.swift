import Foundation

/// The variables of the environment that name proxies, and no others. Empty ones count as not set, as for curl.
public struct ProxyVariables: Sendable, Hashable {
    private static let names: Set<String> = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]

    private var values: [String: String]

    public init(_ environment: [String: String]) {
        values = environment.filter { Self.names.contains($0.key) && !$0.value.isEmpty }
    }

    /// Of this process.
    public static var ofProcess: ProxyVariables { ProxyVariables(ProcessInfo.processInfo.environment) }

    /// The proxy for a scheme. `HTTP_PROXY` in capitals is none: where a web server runs programs, it comes from a request's header.
    func proxy(for scheme: String) -> (name: String, value: String)? {
        first(of: ["\(scheme)_proxy"] + (scheme == "http" ? [] : ["\(scheme.uppercased())_PROXY"]) + ["all_proxy", "ALL_PROXY"])
    }

    var exceptions: (name: String, value: String)? { first(of: ["no_proxy", "NO_PROXY"]) }

    private func first(of names: [String]) -> (name: String, value: String)? {
        names.lazy.compactMap { name in values[name].map { (name, $0) } }.first
    }
}
