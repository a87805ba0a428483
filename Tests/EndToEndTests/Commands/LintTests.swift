import Basics
import TestSupport
import Testing

/// `lint` on a manifest with its map and services.
@Suite(.serialized) struct LintTests {
    private static func map(_ water: String) -> String {
        """
        {"operationalLayers":[
          {"id":"one","title":"First","layerType":"ArcGISFeatureLayer","url":"\(water)/0"},
          {"id":"two","title":"Second","layerType":"ArcGISFeatureLayer","url":"\(water)/0"},
          {"id":"wms","title":"Weather","layerType":"WMS","url":"https://wms.example.com/x"},
          {"id":"lost","title":"Lost","layerType":"ArcGISFeatureLayer","url":"\(water)/999"}],
         "baseMap":{"baseMapLayers":[]},"spatialReference":{"wkid":102100}}
        """
    }

    private static let manifest = """
        version: 1
        name: water
        webMap: map.json
        areas: [{ id: a, envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 } }]
        layers:
          - match: { title: Second }
            useGeometry: false
        lint:
          ignore:
            - { rule: OB030, layer: Weather, reason: shown online only }
        output: { directory: out }

        """

    @Test func `Findings stand at the entry of their layer or at the map, and accepted ones do not count`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Self.manifest, portal: portal)
        try workspace.write("map.json", Self.map(portal.service("Water_Network/FeatureServer")))
        let text = try await workspace.run("lint", "manifest.yaml")
        #expect(text.code == 0, "\(text.stderr)")
        let lines = text.stdout.split(separator: "\n").map(String.init)
        #expect(lines.count == 3, "\(text.stdout)")
        #expect(
            lines.first
                == "manifest.yaml:6:5: warning OB062 shared-url: Second (two): It has the same URL as the layer First (one).")
        #expect(lines.dropFirst().first?.hasPrefix("manifest.yaml:3:9: warning OB015 layer-missing: Lost (lost): ") == true)
        #expect(lines.last == "2 warnings, 1 accepted by the manifest")
        #expect(try await workspace.run("lint", "--strict", "manifest.yaml").code == 2)

        let sarif = try await workspace.run("lint", "--sarif", "manifest.yaml")
        let results = try JSON.parse(sarif.stdout)["runs"]?[0]?["results"]?.array ?? []
        #expect(results.count == 3 && results.count { $0["suppressions"] != nil } == 1)
        #expect(!portal.journal.contains { $0.method == "POST" })
        #expect(!Files.exists(workspace.file("out")))
    }

    @Test(.enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func `A model made of the schema of SARIF accepts what lint writes, and refuses what is spoiled`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Self.manifest, portal: portal)
        try workspace.write("map.json", Self.map(portal.service("Water_Network/FeatureServer")))
        let sarif = try await workspace.run("lint", "--sarif", "manifest.yaml").stdout
        try workspace.write("lint.sarif", sarif)
        try workspace.write("bad.sarif", sarif.replacing("\"level\": \"warning\"", with: "\"level\": \"loud\""))
        let python = try #require(PythonJudge.interpreter)
        func judge(_ file: String) throws -> PythonJudge.Verdict {
            try Command.run(python, [SharedFiles.packageRoot + "/Tests/judges/sarif.py", workspace.file(file)])
        }
        let verdict = try judge("lint.sarif")
        #expect(verdict.status == 0 && verdict.output == "3 rules, 3 results\n", "\(verdict.output)\(verdict.errors)")
        #expect(try judge("bad.sarif").status == 1)
    }

    @Test func `A service that cannot be asked is an error, and so is an override that matches nothing`() async throws {
        let portal = try await PortalProcess.faulty("- {path: '*/FeatureServer*', status: 503}")
        let text = Self.manifest.replacing("title: Second", with: "title: Secnod") + "limits: { attempts: 1 }\n"
        let workspace = try Workspace(manifest: text, portal: portal)
        try workspace.write("map.json", Self.map(portal.service("Water_Network/FeatureServer")))
        let ending = try await workspace.run("lint", "--json", "manifest.yaml")
        #expect(ending.code == 2, "\(ending.stderr)")
        let findings = try JSON.parse(ending.stdout)["findings"]?.array ?? []
        let errors = findings.filter { $0["level"] == "error" }.map { $0["rule"] }
        #expect(errors == ["OB069", "OB040", "OB040", "OB040"], "\(ending.stdout)")
    }
}
