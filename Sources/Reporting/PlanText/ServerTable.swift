import ArcGIS
import Basics
import Transport

/// The servers of a plan: what each is, who we are there, and which way it is reached.
enum ServerTable {
    /// The way is told where there is a proxy to tell of.
    static func lines(_ servers: [ServerStanding], page: Page) -> [String] {
        guard !servers.isEmpty else { return [] }
        let tellsRoutes = servers.contains { $0.route != .direct }
        var columns: [TextTable.Column] = [
            .init(title: "SERVER"), .init(title: "WHAT IT IS"),
            .init(title: "WE ARE THERE", isFlexible: !tellsRoutes, wraps: !tellsRoutes),
        ]
        if tellsRoutes { columns.append(.init(title: "REACHED", isFlexible: true, wraps: true)) }
        let rows: [[TextTable.Cell]] = servers.map { server in
            let colour: Ink.Colour? = server.kind == .closed ? .yellow : nil
            let cells: [TextTable.Cell] = [
                .init(Redaction.text(server.url)), .init(Wording.words(for: server.kind), colour),
                .init(Wording.account(of: server)),
            ]
            return tellsRoutes ? cells + [.init(Wording.words(for: server.route))] : cells
        }
        return TextTable(columns: columns, rows: rows).lines(page: page, indent: "  ")
    }

    static func json(_ server: ServerStanding) -> JSON {
        var json: JSON = [
            "url": .string(Redaction.text(server.url)), "kind": .string(server.kind.rawValue),
            "account": server.account.map { ["kind": .string($0.kind.rawValue), "name": $0.name.map(JSON.string) ?? .null] }
                ?? .null,
            "proxy": .null, "exception": .null,
        ]
        switch server.route {
        case .direct: break
        case .excepted(let entry, let list):
            json["exception"] = ["entry": .string(entry), "from": .string(Wording.name(ofExceptions: list))]
        case .proxy(let url, let user, let source):
            json["proxy"] = [
                "url": .string(url), "user": user.map(JSON.string) ?? .null, "from": .string(Wording.name(ofProxy: source)),
            ]
        }
        return json
    }
}

extension Wording {
    static func words(for kind: ServerStanding.Kind) -> String {
        switch kind {
        case .portal: "the portal"
        case .federated: "federated with the portal"
        case .ownSignIn: "own sign-in"
        case .open: "open"
        case .closed: "wants a sign-in"
        }
    }

    static func account(of server: ServerStanding) -> String {
        guard let account = server.account else {
            return server.kind == .federated ? "nobody: the portal makes no token for it" : "nobody"
        }
        let name = account.name?.printable
        return switch account.kind {
        case .user: ["user", name].compactMap { $0 }.joined(separator: " ")
        case .application: ["application", name].compactMap { $0 }.joined(separator: " ")
        case .apiKey: "an API key" + (name.map { " of \($0)" } ?? "")
        case .token: "a given token" + (name.map { " of \($0)" } ?? "")
        case .web: "Windows sign-in" + (name.map { " as \($0)" } ?? "")
        }
    }

    static func words(for route: ProxyRoute) -> String {
        switch route {
        case .direct: "directly"
        case .excepted(let entry, let list): "directly (`\(entry.printable)` in \(name(ofExceptions: list)))"
        case .proxy(let url, let user, let source):
            "through \(url.printable)" + (user.map { " as \($0.printable)" } ?? "") + " (\(name(ofProxy: source)))"
        }
    }

    static func name(ofProxy source: ProxyRoute.Source) -> String {
        switch source {
        case .configuration: "portal.proxy"
        case .variable(let name): name
        }
    }

    static func name(ofExceptions source: ProxyRoute.Source) -> String {
        switch source {
        case .configuration: "portal.proxy.noProxy"
        case .variable(let name): name
        }
    }
}
