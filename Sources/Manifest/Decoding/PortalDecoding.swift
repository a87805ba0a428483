import Foundation

extension ManifestDecoder {
    mutating func portal(_ node: Node?) -> PortalSettings {
        warnOfClearText(node)
        return PortalSettings(
            url: node?["url"]?.text.map(PortalSettings.rootURL) ?? PortalSettings.defaultURL, auth: authentication(node?["auth"]),
            servers: servers(node?["servers"]),
            connection: ConnectionSettings(
                tls: TLSSettings(
                    caFile: file(node?["tls"]?["caFile"]), clientCertificate: file(node?["tls"]?["clientCertificate"]),
                    clientKey: file(node?["tls"]?["clientKey"]), clientKeyPassword: secret(node?["tls"]?["clientKeyPassword"])),
                proxy: proxy(node?["proxy"]), webAuth: webAuthentication(node?["webAuth"])))
    }

    private mutating func servers(_ node: Node?) -> [ServerSettings] {
        var lines: [String: Int] = [:]
        return (node?.items ?? []).compactMap { item in
            guard let place = item["url"], let text = place.text else { return nil }
            let url = ServerSettings.rootURL(text)
            if let first = lines.updateValue(place.span.line, forKey: url.lowercased()) {
                problems.error(place.span, "a second sign-in for the same server", hint: "the first one is in line \(first)")
            }
            return ServerSettings(url: url, auth: authentication(item["auth"]))
        }
    }

    private func proxy(_ node: Node?) -> ProxySettings? {
        guard let url = node?["url"]?.text else { return nil }
        var user: ProxySettings.User?
        if let name = node?["user"]?["name"]?.text, let password = secret(node?["user"]?["password"]) {
            user = .init(name: name, password: password)
        }
        return ProxySettings(url: url, user: user, noProxy: node?["noProxy"]?.items?.compactMap(\.text))
    }

    /// Whoever writes http gets http; that passwords and tokens are then read by everybody on the way is said.
    private mutating func warnOfClearText(_ node: Node?) {
        let signIns = [(node?["auth"], node?["url"])] + (node?["servers"]?.items ?? []).map { ($0["auth"], $0["url"]) }
        for case (let auth?, let place?) in signIns where auth.text != "none" {
            guard let url = place.text, url.lowercased().hasPrefix("http://"), !Self.isThisMachine(url) else { continue }
            problems.warning(
                place.span, "the sign-in goes to this address in clear text", hint: "write https:// if the server answers there")
        }
    }

    private static func isThisMachine(_ url: String) -> Bool {
        let host = url.dropFirst("http://".count).prefix { $0 != "/" }
        return ["localhost", "127.", "[::1]"].contains { host.lowercased().hasPrefix($0) }
    }

    private func webAuthentication(_ node: Node?) -> WebAuthentication? {
        if node?.text == "negotiate" { return .negotiate }
        guard let ntlm = node?["ntlm"], let name = ntlm["name"]?.text, let password = secret(ntlm["password"]) else { return nil }
        return .ntlm(name: name, password: password)
    }

    private func file(_ node: Node?) -> String? { node?.text.map(folder.resolve) }
}

extension ServerSettings {
    /// The address before `/rest/services/…`: people copy longer ones from their browser.
    static func rootURL(_ text: String) -> String {
        var url = text
        if let rest = (url + "/").range(of: "/rest/") { url = String(url[..<rest.lowerBound]) }
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }
}
