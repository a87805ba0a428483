import ArcGIS
import Basics
import Execution
import Foundation
import Manifest
import Packaging
import Planning
import Reporting
import Transport

/// The portal, who we are there, its clock, and the replicas that services keep because of us.
struct ServerCheck {
    var manifest: Manifest
    var stateDirectory: String
    var variables: [String: String]
    var now: @Sendable () -> Date

    func findings() async -> [Finding] {
        // A sign-in that fails says nothing about the clock, which may be the reason.
        let clock = await clock()
        let services: Services
        do throws(PlanRefusal) {
            services = try await Services.open(
                manifest.portal, limits: patient(manifest.limits), variables: variables, say: { _ in })
        } catch {
            return clock
                + error.problems.map { problem in
                    problem.failure.isAboutSecrets
                        ? .secrets(problem: problem.failure.message) : .unreachable(problem.failure)
                }
        }
        do throws(ArcGISError) {
            let portal = try await services.client.portalSelf()
            let who = portal.username ?? portal.applicationID.map { $0.isEmpty ? "an application" : "application \($0)" }
            return secrets + clock + [.portal(url: manifest.portal.url, who: who)]
                + (await replicas(services.client))
        } catch {
            return secrets + clock + [.unreachable(Failure(.signIn, error))]
        }
    }

    /// They were all had.
    private var secrets: [Finding] {
        let short = KnownSecrets.shortSources
        return [.secrets(problem: nil)] + (short.isEmpty ? [] : [.shortSecrets(short)])
    }

    /// A person waits for the answer.
    private func patient(_ limits: LimitSettings) -> LimitSettings {
        var limits = limits
        limits.attempts = 1
        limits.connectTimeout = min(limits.connectTimeout, .seconds(10))
        limits.inactivityTimeout = min(limits.inactivityTimeout, .seconds(20))
        return limits
    }

    /// By the `Date` header of the portal's answer to anybody (RFC 9110 6.6.1); whole seconds.
    private func clock() async -> [Finding] {
        guard
            let configuration = try? await manifest.portal.configuration(connectionsPerHost: 1, variables)
        else { return [] }
        let request = HTTPRequest(
            method: .get, url: manifest.portal.url + "/sharing/rest?f=json",
            timeouts: Timeouts(connect: .seconds(10), inactivity: .seconds(20)))
        let before = now()
        guard let answer = try? await CurlTransport(configuration: configuration).send(request),
            let text = answer.headers["Date"], let date = HTTPDate.parse(text)
        else { return [] }
        // Half of the way there and back, and half of the second that the header cuts off.
        let middle = before.addingTimeInterval(now().timeIntervalSince(before) / 2)
        return [.clock(ahead: middle.timeIntervalSince(date) - 0.5)]
    }

    // MARK: - Replicas

    private func replicas(_ client: ArcGISClient) async -> [Finding] {
        let inventory = ReplicaInventory(output: manifest.output.directory, stateDirectory: stateDirectory)
        guard let books = try? await inventory.books(now: now()) else { return [] }
        var findings: [Finding] = []
        if !books.open.isEmpty { findings.append(.replicas(kept: books.open.count - books.leftOver, leftOver: books.leftOver)) }
        let prefix = ReplicaNames.prefix(manifest.name)
        for service in books.services.sorted() {
            do throws(ArcGISError) {
                let listed = try await client.replicas(service)
                let stray = listed.filter { replica in
                    replica.name.map { $0.lowercased().contains(prefix) } == true && !books.knows(replica.id)
                }
                if !stray.isEmpty { findings.append(.strayReplicas(service: service, names: stray.compactMap(\.name))) }
            } catch {
                findings.append(.replicasUnknown(service: service, Failure(.metadata, error)))
            }
        }
        return findings
    }
}

extension Failure {
    /// A secret could not be had; no server was asked.
    fileprivate var isAboutSecrets: Bool { phase == .signIn && code == nil && kind == .denied && details.isEmpty }
}
