/// The servers that requests have gone to, and with whose token: what the plan tells people of.
struct MetServers {
    private struct Meeting {
        var kind: ServerStanding.Kind
        var source: Authorization.Source?
    }

    /// Who the portal says we are, where it was asked.
    var identity: String?
    /// The server in front of the portal has signed us in.
    var isKnownToWebServer = false
    /// By address.
    private var meetings: [String: Meeting] = [:]

    /// - Parameters:
    ///   - source: whose token the request carries; nil for none.
    ///   - isFederated: whether a server's root takes exchanged tokens.
    mutating func note(
        _ url: String, _ source: Authorization.Source?, isFederated: (String) -> Bool, _ portal: PortalAddress
    ) {
        let place = Self.place(of: url, portal)
        switch source {
        case .ownAccount(let root): meetings[root] = Meeting(kind: .ownSignIn, source: source)
        case .server(let root): meetings[root] = Meeting(kind: .federated, source: source)
        case .portal: meetings[place] = Meeting(kind: place == portal.root ? .portal : .federated, source: source)
        case nil where meetings[place]?.kind == .closed: break
        // Federated, and yet the portal makes no token for it.
        case nil: meetings[place] = Meeting(kind: place == portal.root ? .portal : isFederated(place) ? .federated : .open)
        }
    }

    /// A request without a token was refused.
    mutating func noteRefusal(of url: String, _ portal: PortalAddress) {
        let place = Self.place(of: url, portal)
        if meetings[place]?.source == nil { meetings[place] = Meeting(kind: .closed) }
    }

    private static func place(of url: String, _ portal: PortalAddress) -> String {
        portal.contains(url) ? portal.root : ServiceAddress.serverRoot(of: url) ?? Origin(url: url)?.text ?? url
    }

    /// The portal first, then by address.
    /// - Parameters:
    ///   - account: of the portal.
    ///   - own: that of a server with accounts of its own.
    func standings(
        _ portal: PortalAddress, account: ServerStanding.Account?, own: (String) -> ServerStanding.Account?
    ) -> [ServerStanding] {
        var shared = account
        shared?.name = account?.name ?? identity
        let all = meetings.map { url, meeting in
            let account: ServerStanding.Account? =
                switch meeting.source {
                case .ownAccount(let root): own(root)
                case .portal, .server: shared
                case nil: isKnownToWebServer && Origin(url: url) == portal.origin ? .init(.web, name: identity) : nil
                }
            return ServerStanding(url: url, kind: meeting.kind, account: account)
        }
        return all.sorted { ($0.kind == .portal ? 0 : 1, $0.url) < ($1.kind == .portal ? 0 : 1, $1.url) }
    }
}
