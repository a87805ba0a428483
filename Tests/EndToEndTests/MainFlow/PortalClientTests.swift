import Basics
import TestSupport
import Testing

/// The portal answers as ArcGIS does: clients of other people read it, by `Tests/judges/portal-clients.py`.
@Suite(.enabled(if: PortalClients.areAvailable, "needs gdal-bin and the Python judges with esridump: run `make setup`"))
struct PortalClientTests {
    @Test(arguments: ["server", "agol"])
    func `GDAL, esridump and lerc read every row, picture and height`(flavour: String) async throws {
        let portal = try await PortalProcess("--flavour", flavour)
        let script = SharedFiles.packageRoot + "/Tests/judges/portal-clients.py"
        let python = try #require(PythonJudge.interpreter)
        let verdict = try await offPool { try Command.run(python, [script, portal.server]) }
        #expect(verdict.status == 0, "\(verdict.output)\(verdict.errors)")
        for proof in [
            "GDAL: Hydrant: 54 rows, each once", "esridump: Inspections: every value of 8 fields",
            "rasterio: World_Street_Map/MapServer exported: the pixels of level 15 are the service's",
            "lerc: Town_Elevation/ImageServer exported: the same tiles", ", 0 failed",
        ] {
            #expect(verdict.output.contains(proof), "\(proof)\n\(verdict.output)")
        }
        // Pages were smaller than the layers, so that paging was at work for both.
        let offsets = portal.journal.filter { $0.path.hasSuffix("Water_Network/FeatureServer/0/query") }.filter {
            $0.parameters["resultOffset"] == "40" && $0.parameters["resultRecordCount"] == "20"
        }
        #expect(Set(offsets.map { $0.headers["user-agent"] }).count == 2)
    }

    /// The first page that GDAL asks for is the third question of the first layer, after ours for the count and for all rows.
    @Test func `What a client cannot read is a failure`() async throws {
        let folder = try TemporaryFolder()
        let rule =
            "- {path: '*/Water_Network/FeatureServer/0/query', nth: 3, jsonError: {code: 500, message: Out of order, details: []}}"
        try Files.writeAtomically(Array(rule.utf8), to: folder.file("faults.yaml"))
        let portal = try await PortalProcess("--faults", folder.file("faults.yaml"))
        let script = SharedFiles.packageRoot + "/Tests/judges/portal-clients.py"
        let python = try #require(PythonJudge.interpreter)
        let verdict = try await offPool { try Command.run(python, [script, portal.server]) }
        #expect(verdict.status == 1)
        #expect(verdict.output.contains("FAILED  Hydrant: is read"), "\(verdict.output)\(verdict.errors)")
        #expect(verdict.output.contains(", 1 failed"))
    }
}

private enum PortalClients {
    static let areAvailable: Bool = {
        guard PythonJudge.isAvailable, let esridump = try? PythonJudge.run("import esridump, lerc, rasterio, PIL"),
            let tools = try? Command.run("ogr2ogr", ["--version"])
        else { return false }
        return esridump.status == 0 && tools.status == 0
    }()
}
