import ArcGIS
import Basics
import Manifest
import Transport

/// From what a manifest says about signing in to what the modules below need for it: references become secrets here.
extension Authentication {
    func credential(_ variables: [String: String]) async throws(SecretError) -> Credential {
        func secret(_ reference: SecretReference) async throws(SecretError) -> Secret {
            try await reference.resolve(environment: variables)
        }
        switch self {
        case .none: return .none
        case .apiKey(let key): return .apiKey(try await secret(key))
        case .token(let token, let referer): return .token(try await secret(token), referer: referer)
        case .oauth(let clientID, let clientSecret):
            return .application(clientID: clientID, clientSecret: try await secret(clientSecret))
        case .user(let name, let password): return .user(name: name, password: try await secret(password))
        }
    }
}

extension [ServerSettings] {
    func credentials(_ variables: [String: String]) async throws(SecretError) -> [ServerCredential] {
        var result: [ServerCredential] = []
        for server in self {
            result.append(ServerCredential(root: server.url, credential: try await server.auth.credential(variables)))
        }
        return result
    }
}

extension PortalSettings {
    func configuration(
        connectionsPerHost: Int, _ variables: [String: String]
    ) async throws(SecretError) -> CurlConfiguration {
        let tls = connection.tls
        try await tls.check(variables)
        var configuration = CurlConfiguration(
            connectionsPerHost: connectionsPerHost, certificateAuthorities: tls.caFile, clientCertificate: tls.clientCertificate,
            clientKey: tls.clientKey, proxyVariables: ProxyVariables(variables))
        if let password = tls.clientKeyPassword {
            configuration.clientKeyPassword = try await password.resolve(environment: variables)
        }
        configuration.proxy = try await connection.proxy?.proxy(variables)
        switch connection.webAuth {
        case nil: break
        case .negotiate: configuration.webAuthentication = .init(.negotiate, at: url)
        case .ntlm(let name, let password):
            let secret = try await password.resolve(environment: variables)
            configuration.webAuthentication = .init(.ntlm(name: name, password: secret), at: url)
        }
        return configuration
    }
}

extension ProxySettings {
    func proxy(_ variables: [String: String]) async throws(SecretError) -> CurlConfiguration.Proxy {
        var proxy = CurlConfiguration.Proxy(url: url, exceptions: noProxy)
        if let user {
            proxy.user = .init(name: user.name, password: try await user.password.resolve(environment: variables))
        }
        return proxy
    }
}

extension TLSSettings {
    /// Before the first request, because libcurl's own words for a missing file do not name it. A file that holds a key has to be
    /// closed to others, as every secret.
    fileprivate func check(_ variables: [String: String]) async throws(SecretError) {
        for path in [caFile, clientCertificate, clientKey].compactMap({ $0 }) {
            let content = try await offPool { () throws(SecretError) in
                do throws(SystemError) { return try Files.read(path) } catch {
                    throw SecretError(reference: .file(path), reason: .unreadable(error))
                }
            }
            if path == clientCertificate, String(decoding: content, as: UTF8.self).contains("PRIVATE KEY-----") {
                _ = try await SecretReference.file(path).resolve(environment: variables)
            }
        }
        if let clientKey { _ = try await SecretReference.file(clientKey).resolve(environment: variables) }
    }
}
