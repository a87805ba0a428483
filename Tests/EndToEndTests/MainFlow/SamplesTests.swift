import Basics
import TestSupport
import Testing

/// Files that Esri's software made, met as results of services: the numbers are those of formats.md 11.4.
@Suite(.serialized, .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)")) struct SamplesTests {
    @Test func `Real packages pass verification; damaged tiles of the original are warnings`() async throws {
        let portal = try await PortalProcess("--samples", SharedFiles.path("samples"))
        let workspace = try Workspace(
            manifest: """
                version: 1
                name: samples
                webMap: 0f5a3c1e9b7d4e2f8a6b1c3d5e7f9a0b
                areas:
                  - id: states
                    envelope: { xmin: -125, ymin: 24, xmax: -66, ymax: 50 }
                output: { directory: out }
                """, portal: portal)
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        let inventory = try PublishedMap(output: workspace.file("out"), area: "states").inventory
        let sources = try #require(inventory["sources"]?.array)
        func source(_ part: String) throws -> JSON { try #require(sources.first { $0["job"]?.string?.contains(part) == true }) }

        #expect(try levels(source("samples-usa")) == [1, 1, 4, 9, 30, 99])
        #expect(try levels(source("samples-states_filled")) == [1, 1, 2, 4, 16])
        #expect(try levels(source("samples-test_vector")) == [1, 1, 2, 4, 6])
        // The replica's attachments table is empty, as are its inspections.
        let rows = try source("homesites")["counts"]?.object?.members.map { "\($0.key): \($0.value.int ?? -1)" } ?? []
        #expect(rows.contains("0 Homesites: 69"))
        #expect(rows.contains("1 Homesites inspections: 0"))
        #expect(rows.allSatisfy { !$0.contains("attachments") || $0.hasSuffix(": 0") })

        let damaged = try source("samples-usa")["warnings"]?.array?.compactMap(\.string) ?? []
        #expect(damaged.count == 2)
        #expect(damaged[0].hasPrefix("tile 0/0/0 is damaged"))
        #expect(damaged[1].hasPrefix("tile 1/0/0 is damaged"))
        let report = try workspace.json("out/report.json")
        let job = report["jobs"]?.array?.first { $0["id"] == "states/samples-usa/tiles" }
        #expect(job?["state"] == "done")
        #expect(job?["warnings"]?.array?.count == 2)
        // What is said of a style's missing fonts fits on a screen.
        #expect(try source("samples-test_vector")["warnings"]?.array?.count ?? 99 < 5)

        // The files are the originals, byte for byte.
        for (part, original) in [
            "samples-usa": "tpkx/Usa.tpkx", "samples-states_filled": "tpk/states_filled.tpk",
            "samples-test_vector": "vtpk/testvtpk.vtpk", "homesites": "geodatabase/replica-agol-clean-redacted.geodatabase",
        ] {
            let bytes = try Files.read(SharedFiles.path("samples/" + original))
            #expect(try source(part)["sha256"]?.string == SHA256.hex(of: bytes), "\(original)")
            #expect(try source(part)["path"]?.string?.hasSuffix(String(original.split(separator: ".").last ?? "?")) == true)
        }
    }

    private func levels(_ source: JSON) -> [Int] {
        (0...5).compactMap { source["counts"]?["level \($0)"]?.int }
    }
}
