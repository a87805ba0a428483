import Basics
import Foundation
import TestSupport
import Testing

/// A hundred areas of one file.
@Suite(.serialized) struct HundredAreasTests {
    /// Neighbouring fields in the middle of the demo town.
    private static var grid: String {
        let fields = (0..<100).map { number in
            let (x, y) = (-88.160 + Double(number % 10) * 0.002, 41.765 + Double(number / 10) * 0.0015)
            let ring = [(x, y), (x + 0.0016, y), (x + 0.0016, y + 0.0012), (x, y + 0.0012), (x, y)].map { "[\($0.0),\($0.1)]" }
            return #"{"type":"Feature","properties":{"CODE":"field-\#(number)"},"geometry":"#
                + #"{"type":"Polygon","coordinates":[[\#(ring.joined(separator: ","))]]}}"#
        }
        return #"{"type":"FeatureCollection","features":[\#(fields.joined(separator: ","))]}"#
    }

    private static let manifest = """
        version: 1
        name: fields
        webMap: acc027394bc84c2fb04d1ed317aac674
        areas: [{ features: { file: grid.geojson, id: CODE } }]
        scale: { min: 5000, max: 1000 }
        output: { directory: out }
        """

    private func setUp(_ extra: String = "") async throws -> (PortalProcess, Workspace) {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Self.manifest + "\n" + extra, portal: portal)
        try workspace.write("grid.geojson", Self.grid)
        return (portal, workspace)
    }

    @Test func `A hundred areas of three services are planned in under five seconds, as 300 server jobs`() async throws {
        let (portal, workspace) = try await setUp()
        var plan = JSON.null
        let seconds = try await fastest(enough: .seconds(5)) {
            let (ending, seconds) = try await workspace.timed(["plan", "--json", "manifest.yaml"])
            #expect(ending.code == 0, "\(ending.stderr)")
            plan = try JSON.parse(ending.stdout)
            return seconds
        }
        #expect(seconds < .seconds(5))
        let jobs = plan["jobs"]?.array ?? []
        let exports = jobs.filter { ["replica", "tiles", "vectorTiles"].contains($0["kind"]?.string) }
        #expect(exports.count == 300)
        #expect(Set(exports.compactMap { $0["area"]?.string }).count == 100)
        #expect(portal.submissions.isEmpty)
    }

    /// By the kernel's own table of connections: HTTP/1.1 has one request open on each.
    @Test func `No host has more open connections than the manifest allows`() async throws {
        let (portal, workspace) = try await setUp("limits: { connectionsPerHost: 3 }")
        let program = try workspace.start(["plan", "manifest.yaml"])
        var most = 0
        while program.isRunning {
            most = max(most, try Self.connections(to: portal.port))
            try await Task.sleep(for: .milliseconds(2))
        }
        let ending = await program.wait()
        #expect(ending.code == 0, "\(ending.stderr)")
        #expect(most == 3)
        #expect(portal.journal.count > 300)
    }

    /// Established ones with this port on the other side.
    private static func connections(to port: Int) throws -> Int {
        let digits = String(port, radix: 16, uppercase: true)
        let remote = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return String(decoding: try Files.read("/proc/net/tcp"), as: UTF8.self).split(separator: "\n").dropFirst().count { line in
            let words = line.split(separator: " ")
            return words.count > 3 && words[2].hasSuffix(remote) && words[3] == "01"
        }
    }
}
