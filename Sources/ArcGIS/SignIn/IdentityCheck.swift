import Basics

extension ArcGISClient {
    /// Signs in and asks the portal who we are. Some portals take a token that they do not know and answer as to anybody (cases
    /// A09): a night that begins so ends with maps that lack every layer that is not public. So it ends here instead, with
    /// `.signIn`. Asks nothing when there is nothing to sign in with.
    ///
    /// - Parameter isExpected: an identity must show although no token is sent: the web server in front knows us.
    public func requireIdentity(isExpected: Bool = false) async throws(ArcGISError) {
        guard isExpected || !credentials.isAnonymous else { return }
        let answer = try await portalSelf()
        if answer.showsIdentity {
            let names = [answer.username, answer.applicationID].compactMap { $0 }.filter { !$0.isEmpty }
            await credentials.learn(identity: names.first, isKnownToWebServer: credentials.isAnonymous)
            return
        }
        throw ArcGISError(
            kind: .signIn(reason: "the portal answers as to an anonymous caller: it does not accept what was sent as a sign-in"),
            url: portal.sharing + "/portals/self")
    }

    /// The same for the servers with accounts of their own. They do not tell who one is; they do tell a token that they do not
    /// know.
    public func requireServerSignIns() async throws(ArcGISError) {
        for root in credentials.serverRoots { _ = try await json(root + "/rest/services") }
    }
}

extension PortalSelf {
    /// A user, or an app: applications and API keys have an `appInfo`, whose id may be empty.
    var showsIdentity: Bool { username?.isEmpty == false || raw["appInfo"]?.object != nil }
}
