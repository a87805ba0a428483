import Basics
import Foundation
import TestSupport
import Testing

@testable import DemoPortal

/// Replica and export jobs through real HTTP, in both flavours.
@Suite struct JobTests {
    static let everything = "-9900000,5000000,-9700000,5200000"

    static func replicaForm(_ more: [(String, String)] = []) -> [(String, String)] {
        [("f", "json"), ("layers", "0,5"), ("geometry", everything), ("syncModel", "perLayer"), ("dataFormat", "sqlite")] + more
    }

    @Test(arguments: Flavour.allCases) func aReplicaIsMade(flavour: Flavour) throws {
        let clock = ManualClock()
        let portal = try PortalFixture {
            $0.flavour = flavour
            $0.jobSeconds = 10
            $0.clock = { clock.now }
        }
        let service = portal.service("Water_Network/FeatureServer")
        let form = Self.replicaForm([("async", "true"), ("replicaName", "ob run"), ("returnAttachments", "true")])
        let submitted = try Browser.post(service + "/createReplica", form).json
        let status = try #require(submitted["statusUrl"]?.string) + "?f=json"
        for (time, word) in [(0.5, "Pending"), (3.0, "InProgress"), (5.0, "ExportingData"), (9.0, "ExportAttachments")] {
            clock.now = time
            let answer = try Browser.get(status).json
            #expect(answer["status"]?.string == word)
            #expect(answer["resultUrl"]?.string == "")
        }
        portal.portal.waitForFiles()
        clock.now = 10
        let last = try Browser.get(status).json
        #expect(last["status"]?.string == "Completed")
        let url = try #require(last["resultUrl"]?.string)
        let file = try Browser.get(url)
        #expect(file.body.starts(with: Array("SQLite format 3\0".utf8)))
        #expect(flavour == .agol ? url.contains("/replicafilescache/") : url.contains("/directories/arcgisoutput/"))
        // On file under its name; a second one of that name gets another.
        let list = try Browser.get(service + "/replicas?f=json").json
        #expect(list[0]?["replicaName"]?.string == "ob run")
        _ = try Browser.post(service + "/createReplica", form)
        #expect(try Browser.get(service + "/replicas?f=json").json[1]?["replicaName"]?.string == "ob run_0")
        // Results go away ten minutes after the last access.
        clock.now = 600
        #expect(try Browser.get(url).status == 200)
        clock.now = 1199
        #expect(try Browser.get(url).status == 200)
        clock.now = 1800
        #expect(try Browser.get(url).status == 404)
        let id = try #require(list[0]?["replicaID"]?.string)
        #expect(try Browser.get("\(service)/replicas/\(id)?f=json").json["layerServerGens"]?.array?.count == 2)
        #expect(
            try Browser.post(service + "/unRegisterReplica", [("replicaID", id), ("f", "json")]).json["success"]?.bool == true)
        #expect(try Browser.post(service + "/unRegisterReplica", [("replicaID", id), ("f", "json")]).errorCode == 400)
    }

    @Test func downloadsCanBeResumed() throws {
        let portal = try PortalFixture { $0.jobSeconds = 0 }
        let service = portal.service("Water_Network/FeatureServer")
        let submitted = try Browser.post(service + "/createReplica", Self.replicaForm([("async", "true")])).json
        let url = try #require(try Browser.poll(submitted["statusUrl"]?.string ?? "", "status").last["resultUrl"]?.string)
        let whole = try Browser.get(url)
        let tag = try #require(whole.headers["etag"])
        let part = try Browser.get(url, ["-H", "Range: bytes=100-", "-H", "If-Range: \(tag)"])
        #expect(part.status == 206)
        #expect(part.headers["content-range"] == "bytes 100-\(whole.body.count - 1)/\(whole.body.count)")
        #expect(part.body == Array(whole.body[100...]))
        #expect(try Browser.get(url, ["-H", "Range: bytes=100-", "-H", "If-Range: \"other\""]).status == 200)
        #expect(try Browser.get(url, ["-H", "Range: bytes=\(whole.body.count)-"]).status == 416)
    }

    /// Both keys of a synchronous answer (REST reference 4.3).
    @Test(arguments: [(Flavour.agol, "responseUrl"), (.server, "URL")])
    func aSynchronousReplicaHasItsOwnKey(flavour: Flavour, key: String) throws {
        let portal = try PortalFixture { $0.flavour = flavour }
        let service = portal.service("Water_Network/FeatureServer")
        let answer = try Browser.post(service + "/createReplica", Self.replicaForm()).json
        let file = try Browser.get(try #require(answer[key]?.string))
        #expect(file.body.starts(with: Array("SQLite format 3\0".utf8)))
        let embedded = try Browser.post(
            service + "/createReplica",
            [
                ("f", "json"), ("layers", "[0,5]"), ("geometry", Self.everything), ("transportType", "esriTransportTypeEmbedded"),
                ("returnAttachments", "true"), ("returnAttachmentsDataByUrl", "false"),
            ]
        ).json
        #expect(embedded["replicaServerGen"]?.int != nil)
        #expect(embedded["layers"]?.array?.count == 2)
        let attachment = try #require(embedded["layers"]?[0]?["attachments"]?[0])
        #expect(Data(base64Encoded: attachment["data"]?.string ?? "")?.count == attachment["size"]?.int)
    }

    @Test(
        arguments: [
            [("layers", "")], [("layers", "9")], [("layers", "x")], [("geometry", "")], [("geometry", "1,2,3")],
            [("returnAttachments", "true"), ("attachmentsSyncDirection", "none")],
            [("attachmentsSyncDirection", "bidirectional")],
            [("syncModel", "perhaps")], [("dataFormat", "shapefile")], [("syncDirection", "upload")],
            [("targetType", "server"), ("syncDirection", "bidirectional")], [("layerQueries", #"{"0":{"where":"FLOOW > 3"}}"#)],
            [("layerQueries", #"{"3":{"queryOption":"all"}}"#)], [("inSR", "2056")],
        ] as [[(String, String)]])
    func wrongReplicasAreRefused(changes: [(String, String)]) throws {
        let portal = try PortalFixture()
        var form = Self.replicaForm()
        for change in changes {
            form.removeAll { $0.0 == change.0 }
            form.append(change)
        }
        let answer = try Browser.post(portal.service("Water_Network/FeatureServer/createReplica"), form)
        #expect(answer.status == 200)
        #expect(answer.errorCode == 400)
        #expect(portal.portal.registeredReplicas == 0)
    }

    @Test func anExtractNeedsNoAreaAndIsNotOnFile() throws {
        let portal = try PortalFixture()
        let answer = try Browser.post(
            portal.service("Water_Network/FeatureServer/createReplica"),
            [
                ("f", "json"), ("layers", "5"), ("syncModel", "none"), ("layerQueries", #"{"5":{"queryOption":"all"}}"#),
                ("dataFormat", "sqlite"),
            ])
        #expect(answer.json["URL"]?.string != nil)
        #expect(portal.portal.registeredReplicas == 0)
    }

    @Test func aServiceWithoutSyncRefuses() throws {
        let portal = try PortalFixture()
        let answer = try Browser.post(
            portal.service("Parcels/FeatureServer/createReplica"),
            [("f", "json"), ("layers", "0"), ("geometry", Self.everything)])
        #expect(answer.errorCode == 400)
        #expect(answer.text.contains("Sync"))
    }

    @Test func aServerExportIsFoundInItsFolder() throws {
        let portal = try PortalFixture { $0.jobSeconds = 0.2 }
        for (path, jobs, suffix) in [
            ("World_Street_Map/MapServer", "exportTiles/jobs", ".tpkx"),
            ("Town_Elevation/ImageServer", "exportTiles/jobs", ".tpkx"), ("Street_Map/VectorTileServer", "jobs", ".vtpk"),
        ] {
            let service = portal.service(path)
            let submitted = try Browser.post(
                service + "/exportTiles", [("f", "json"), ("tilePackage", "true"), ("levels", "0-9")]
            ).json
            #expect(submitted["jobStatus"]?.string == "esriJobSubmitted")
            let job = "\(service)/\(jobs)/\(submitted["jobId"]?.string ?? "")"
            let (last, words) = try Browser.poll(job, "jobStatus")
            #expect(words.last == "esriJobSucceeded")
            #expect(words.contains("esriJobExecuting"))
            let parameter = try #require(last["results"]?["out_service_url"]?["paramUrl"]?.string)
            let value = try #require(try Browser.get("\(job)/\(parameter)?f=json").json["value"]?.string)
            let file = try #require(try Browser.get(value + "?f=json").json["files"]?[0])
            #expect(file["name"]?.string?.hasSuffix(suffix) == true)
            #expect(try Browser.get(file["url"]?.string ?? "").body.starts(with: Array("PK".utf8)))
        }
    }

    @Test func aHostedExportIsASignedURLThatTakesNoToken() throws {
        let portal = try PortalFixture { $0.flavour = .agol }
        for (path, jobs) in [
            ("Town_Imagery/ImageServer", "exportTiles/jobs"), ("Town_Elevation/ImageServer", "exportTiles/jobs"),
            ("Street_Map/VectorTileServer", "jobs"),
        ] {
            let service = portal.service(path)
            let submitted = try Browser.post(
                service + "/exportTiles",
                [("f", "json"), ("tilePackage", "true"), ("levels", "0,1,2-4"), ("exportExtent", Self.everything)]
            ).json
            let (last, _) = try Browser.poll("\(service)/\(jobs)/\(submitted["jobId"]?.string ?? "")", "jobStatus")
            let url = try #require(last["output"]?["outputUrl"]?[0]?.string)
            #expect(!url.hasPrefix(portal.addresses.server))
            #expect(try Browser.get(url).body.starts(with: Array("PK".utf8)))
            #expect(try Browser.get(url + "&token=x").status == 400)
            #expect(try Browser.get(url, ["-H", "X-Esri-Authorization: Bearer x"]).status == 400)
            #expect(try Browser.get(url, ["-H", "Authorization: Bearer x"]).status == 400)
            #expect(try Browser.get(url.components(separatedBy: "?")[0]).status == 403)
        }
    }

    /// The hamlet at levels 0 to 15 is more than 10 tiles: the hosted flavour refuses, a server lets the job fail.
    @Test(arguments: Flavour.allCases) func tooManyTilesAreRefusedWithBothNumbers(flavour: Flavour) throws {
        let portal = try PortalFixture {
            $0.flavour = flavour
            $0.maxExportTiles = 10
        }
        let service = portal.service("World_Street_Map/MapServer")
        let count = try TestTown.tiles(levels: Array(0...15))
        let answer = try Browser.post(service + "/exportTiles", [("f", "json"), ("tilePackage", "true"), ("levels", "0-15")]).json
        let text =
            flavour == .agol
            ? answer["error"]?["details"]?[0]?.string
            : try Browser.poll("\(service)/exportTiles/jobs/\(answer["jobId"]?.string ?? "")", "jobStatus").last["messages"]?
                .array?
                .first { $0["type"]?.string == "esriJobMessageTypeError" }?["description"]?.string
        #expect(text?.contains("(\(count))") == true)
        #expect(text?.contains("maximum of 10 tiles") == true)
    }

    @Test(
        arguments: [
            [("levels", "0-25")], [("levels", "x")], [("levels", "3-1")], [("exportBy", "scale"), ("levels", "1000")],
            [("tilePackage", "false")],
            [("storageFormatType", "Compact")], [("areaOfInterest", "{}")], [("exportExtent", "1,2")], [("createItem", "on")],
        ] as [[(String, String)]])
    func wrongExportsAreRefused(changes: [(String, String)]) throws {
        let portal = try PortalFixture()
        let form = [("f", "json"), ("tilePackage", "true")].filter { pair in !changes.contains { $0.0 == pair.0 } } + changes
        #expect(try Browser.post(portal.service("World_Street_Map/MapServer/exportTiles"), form).errorCode == 400)
        #expect(
            try Browser.post(portal.service("Display_Only/MapServer/exportTiles"), [("f", "json"), ("tilePackage", "true")])
                .errorCode == 400)
    }

    @Test func jobsWaitForASlotAndCanBeCancelled() throws {
        let portal = try PortalFixture {
            $0.jobSeconds = 30
            $0.slots = 1
        }
        let service = portal.service("World_Street_Map/MapServer")
        let form = [("f", "json"), ("tilePackage", "true"), ("levels", "0")]
        let jobs = try (0..<2).map { _ in
            "\(service)/exportTiles/jobs/\(try Browser.post(service + "/exportTiles", form).json["jobId"]?.string ?? "")"
        }
        #expect(try Browser.get(jobs[0] + "?f=json").json["jobStatus"]?.string == "esriJobExecuting")
        let waiting = try Browser.get(jobs[1] + "?f=json").json["jobStatus"]?.string
        #expect(["esriJobSubmitted", "esriJobWaiting"].contains(waiting))
        #expect(try Browser.post(jobs[0] + "/cancel", [("f", "json")]).json["jobStatus"]?.string == "esriJobCancelling")
        #expect(try Browser.get(jobs[0] + "?f=json").json["jobStatus"]?.string == "esriJobCancelled")
        #expect(try Browser.get(jobs[1] + "?f=json").json["jobStatus"]?.string == "esriJobExecuting")
    }

    @Test func anEstimateIsAJobToo() throws {
        let portal = try PortalFixture()
        let service = portal.service("World_Street_Map/MapServer")
        let job =
            try Browser.post(service + "/estimateExportTilesSize", [("f", "json"), ("levels", "0-2")]).json["jobId"]?.string ?? ""
        let url = "\(service)/estimateExportTilesSize/jobs/\(job)"
        #expect(try Browser.poll(url, "jobStatus").last["results"]?["out_service_url"] != nil)
        let value = try Browser.get(url + "/results/out_service_url?f=json").json["value"]
        #expect(value?["totalTilesToExport"]?.int == 3)
    }
}

enum TestTown {
    /// Tiles of the whole hamlet, a rectangle of tiles a level, by the formula of REST reference 6.2.
    static func tiles(levels: [Int]) throws -> Int {
        let extent = TownDataset.make(.hamlet).extent
        return levels.reduce(0) { sum, level in
            let size = 40_075_016.685574 / Double(1 << level)
            let column = { (x: Double) in Int(((x + 20_037_508.342787) / size).rounded(.down)) }
            let row = { (y: Double) in Int(((20_037_508.342787 - y) / size).rounded(.down)) }
            return sum + (column(extent.xmax) - column(extent.xmin) + 1) * (row(extent.ymin) - row(extent.ymax) + 1)
        }
    }
}
