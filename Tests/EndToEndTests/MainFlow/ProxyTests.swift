import Basics
import Foundation
import TestSupport
import Testing

/// Through a forward proxy, with and without an account, and past it.
@Suite(.serialized) struct ProxyTests {
    /// An address at which nobody listens.
    private static let nobody = "http://127.0.0.1:9"
    /// What the machine's own settings say must not decide these tests.
    private static let noSettings = ["http_proxy": "", "https_proxy": "", "all_proxy": "", "no_proxy": "", "NO_PROXY": ""]

    private func workspace(_ portal: PortalProcess, _ settings: String? = nil, _ variables: [String: String] = [:]) throws
        -> Workspace
    {
        var text = Workspace.naperville
        if let settings { text = text.replacing("webMap:", with: "portal: { \(settings) }\nwebMap:") }
        return try Workspace(manifest: text, portal: portal, variables: Self.noSettings.merging(variables) { $1 })
    }

    @Test func `A whole run goes through a proxy that wants an account, and a wrong one ends it`() async throws {
        let portal = try await PortalProcess()
        let proxy = try await ForwardProxy(user: "night:proxy-password")
        let settings = "proxy: { url: '\(proxy.url)', user: { name: night, password: { env: PROXY_PASSWORD } } }"
        let place = try workspace(portal, settings)

        let wrong = try await place.run("plan", "manifest.yaml", variables: ["PROXY_PASSWORD": "wrong"])
        #expect(wrong.code == 77, "\(wrong.stdout)\(wrong.stderr)")
        #expect(wrong.stderr.contains("The proxy does not let us through without a sign-in (407)."), "\(wrong.stderr)")
        #expect(portal.journal.isEmpty)

        // The plan tells the way, and no password.
        let plan = try await place.run("plan", "--no-sizes", "manifest.yaml", variables: ["PROXY_PASSWORD": "proxy-password"])
        #expect(plan.stdout.contains("through \(proxy.url) as night (portal.proxy)"), "\(plan.stdout)\(plan.stderr)")
        #expect(!plan.stdout.contains("proxy-password") && !plan.stdout.contains("directly"))

        let asked = proxy.log.count
        let before = portal.journal.count
        let run = try await place.run("run", "manifest.yaml", variables: ["PROXY_PASSWORD": "proxy-password"])
        #expect(run.code == 0, "\(run.stdout)\(run.stderr)")
        // Nothing went past it.
        let relayed = proxy.log.dropFirst(asked).filter { !$0.hasSuffix(" 407") }
        #expect(
            relayed.count == portal.journal.count - before
                && relayed.allSatisfy { $0.contains(" http://127.0.0.1:\(portal.port)/") })
        for text in [run.stdout, run.stderr, portal.journalText] { #expect(!text.contains("proxy-password")) }
    }

    @Test(.enabled(if: LocalhostIdentity.isPossible, "needs openssl"))
    func `To https addresses the proxy makes a tunnel, and sees nothing else`() async throws {
        let identity = try LocalhostIdentity()
        let portal = try await PortalProcess(as: identity)
        let proxy = try await ForwardProxy(user: "night:proxy-password")
        func settings(_ password: String) -> String {
            "tls: { caFile: '\(identity.certificate)' }, "
                + "proxy: { url: '\(proxy.url)', user: { name: night, password: { env: \(password) } } }"
        }
        let variables = ["GOOD": "proxy-password", "BAD": "wrong"]
        let plan = try await workspace(portal, settings("GOOD"), variables).run("plan", "manifest.yaml")
        #expect(plan.code == 0, "\(plan.stderr)")
        #expect(!portal.journal.isEmpty)
        #expect(Set(proxy.log.map { $0.prefix { $0 != " " } }) == ["CONNECT"])
        let count = portal.journal.count
        let wrong = try await workspace(portal, settings("BAD"), variables).run("plan", "manifest.yaml")
        #expect(wrong.code == 77 && wrong.stderr.contains("407"), "\(wrong.code): \(wrong.stderr)")
        #expect(portal.journal.count == count)
    }

    @Test func `The exceptions are honoured, of the manifest and of the environment`() async throws {
        let portal = try await PortalProcess()
        let proxy = try await ForwardProxy()
        /// How the plan says that the servers are reached.
        func way(_ settings: String?, _ variables: [String: String] = [:]) async throws -> Set<String> {
            let plan = try await workspace(portal, settings, variables).run("plan", "--no-counts", "manifest.yaml")
            #expect(plan.code == 0, "\(plan.stderr)")
            let lines = plan.stdout.split(separator: "\n").filter {
                $0.hasPrefix("  \(portal.server)") || $0.hasPrefix("  \(portal.url)")
            }
            return Set(lines.compactMap { $0.firstMatch(of: /(directly|through) .*$/).map { String($0.0) } })
        }
        #expect(
            try await way("proxy: { url: '\(Self.nobody)', noProxy: [127.0.0.1] }")
                == ["directly (`127.0.0.1` in portal.proxy.noProxy)"])
        #expect(
            try await way(nil, ["http_proxy": Self.nobody, "no_proxy": "127.0.0.1"]) == ["directly (`127.0.0.1` in no_proxy)"])
        #expect(proxy.log.isEmpty)
        #expect(try await way(nil, ["http_proxy": proxy.url]) == ["through \(proxy.url) (http_proxy)"])
        #expect(!proxy.log.isEmpty)
        // The manifest's word counts before the environment's.
        let seen = proxy.log.count
        #expect(
            try await way("proxy: { url: '\(proxy.url)', noProxy: [example.org] }", ["no_proxy": "127.0.0.1"])
                == ["through \(proxy.url) (portal.proxy)"])
        #expect(proxy.log.count > seen)
        let short = Workspace.naperville + "\nlimits: { attempts: 1 }\n"
        let dead = try Workspace(
            manifest: short, portal: portal, variables: Self.noSettings.merging(["http_proxy": Self.nobody]) { $1 })
        #expect(try await dead.run("plan", "manifest.yaml").code == 69)
    }
}
