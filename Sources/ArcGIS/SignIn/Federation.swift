import Basics

/// What a server's `/rest/info` says about whose tokens it takes (REST reference 1.8).
enum Federation: Sendable, Hashable {
    /// Federated with our portal: exchange at this URL.
    case exchange(tokenURL: String)
    /// The portal's own token works as it is.
    case portalToken
    /// Public, signed in to by other means, or somebody else's: our token has no business there.
    case anonymous
}

extension PortalSession {
    /// Throws only what may heal; a server without `/rest/info` is anonymous.
    func federation(ofServer root: String) async throws(ArcGISError) -> Federation {
        // A server on the portal's own origin already sees what the portal sees.
        let sharesOrigin = Origin(url: root) == portal.origin
        let info: JSON
        do {
            info = try await json(root + "/rest/info")
        } catch {
            if case .transport = error.kind { throw error }
            if let code = error.code, [429, 502, 503, 504].contains(code) { throw error }
            return sharesOrigin ? .portalToken : .anonymous
        }
        guard let owner = info["owningSystemUrl"]?.string, !owner.isEmpty else { return sharesOrigin ? .portalToken : .anonymous }
        guard PortalAddress(owner).isSame(as: portal) else { return .anonymous }
        return .exchange(tokenURL: await tokenURL())
    }

    /// Where the portal exchanges tokens. A URL on another origin is not believed: the portal token would go there.
    private func tokenURL() async -> String {
        let usual = portal.sharing + "/generateToken"
        guard let info = try? await json(portal.sharing + "/info"), let url = info["authInfo"]?["tokenServicesUrl"]?.string,
            Origin(url: url) == portal.origin
        else { return usual }
        return url
    }
}
