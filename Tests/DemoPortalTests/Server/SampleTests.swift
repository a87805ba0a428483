import Basics
import TestSupport
import Testing

@testable import DemoPortal

/// The services over Esri-made files; counts are those of formats.md 11.4.
@Suite(.enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)")) struct SampleTests {
    @Test func everySampleIsAResult() throws {
        let portal = try PortalFixture {
            $0.samples = SharedFiles.path("samples")
            $0.jobSeconds = 0
        }
        let map = try Browser.get(portal.sharingURL + "/content/items/0f5a3c1e9b7d4e2f8a6b1c3d5e7f9a0b/data?f=json").json
        #expect(map["baseMap"]?["baseMapLayers"]?.array?.count == 2)
        #expect(map["operationalLayers"]?.array?.count == 2)
        #expect(map["tables"]?.array?.count == 1)
        let features = portal.service("Samples/Homesites/FeatureServer")
        let count = try Browser.get(features + "/0/query?where=1%3D1&returnCountOnly=true&f=json").json["count"]?.int
        #expect(count == 69)
        let status =
            try Browser.post(
                features + "/createReplica",
                [
                    ("f", "json"), ("layers", "0,1"), ("geometry", "-20037508,-20037508,20037508,20037508"), ("async", "true"),
                    ("syncModel", "perLayer"), ("dataFormat", "sqlite"),
                ]
            ).json["statusUrl"]?.string ?? ""
        portal.portal.waitForFiles()
        let url = try Browser.poll(status, "status").last["resultUrl"]?.string ?? ""
        #expect(
            try Browser.get(url).body
                == Files.read(SharedFiles.path("samples/geodatabase/replica-agol-clean-redacted.geodatabase")))
        for (service, jobs, file) in [
            ("Samples/Usa/MapServer", "exportTiles/jobs", "tpkx/Usa.tpkx"),
            ("Samples/States_Filled/MapServer", "exportTiles/jobs", "tpk/states_filled.tpk"),
            ("Samples/Test_Vector/VectorTileServer", "jobs", "vtpk/testvtpk.vtpk"),
        ] {
            let root = portal.service(service)
            #expect(try Browser.get(root + "?f=json").json["exportTilesAllowed"]?.bool == true)
            let id =
                try Browser.post(root + "/exportTiles", [("f", "json"), ("tilePackage", "true")]).json["jobId"]?.string ?? ""
            portal.portal.waitForFiles()
            let job = "\(root)/\(jobs)/\(id)"
            #expect(try Browser.poll(job, "jobStatus").last["jobStatus"]?.string == "esriJobSucceeded")
            let folder = try Browser.get(job + "/results/out_service_url?f=json").json["value"]?.string ?? ""
            let result = try Browser.get(folder + "?f=json").json["files"]?[0]?["url"]?.string ?? ""
            #expect(try Browser.get(result).body == Files.read(SharedFiles.path("samples/" + file)))
        }
    }
}
