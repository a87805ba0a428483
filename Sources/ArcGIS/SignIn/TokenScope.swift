/// Which token a URL may see at all (REST reference 1.7, 1.8). Everything else is anonymous, whatever it asks for.
enum TokenScope: Hashable {
    /// The portal's own token.
    case portal
    /// Whatever `<root>/rest/info` entitles the server to.
    case server(root: String)
    /// Signed storage, other people's servers outside ArcGIS, plain http when the portal is secure.
    case nowhere

    static func of(_ url: String, portal: PortalAddress) -> TokenScope {
        guard let parts = URLParts(url), let home = portal.origin else { return .nowhere }
        let origin = parts.origin
        if origin.scheme == "http" && home.scheme == "https" { return .nowhere }
        if home.isArcGISOnline && origin.isArcGISOnline {
            return home.onlineEnvironment == origin.onlineEnvironment ? .portal : .nowhere
        }
        if origin == home, isPortalPath(parts, portal: portal) { return .portal }
        if let root = ServiceAddress.serverRoot(of: url) { return .server(root: root) }
        return origin == home ? .portal : .nowhere
    }

    /// The sharing API and the services that the portal signs for us (`/sharing/servers/<id>/`, `/usrsvcs/servers/<id>/`).
    private static func isPortalPath(_ parts: URLParts, portal: PortalAddress) -> Bool {
        let path = parts.path.lowercased()
        let context = (URLParts(portal.root)?.path ?? "").lowercased()
        return path.hasPrefix(context + "/sharing") || path.contains("/usrsvcs/servers/")
    }
}
