import Basics
import Foundation
import TestSupport
import Testing

@testable import DemoPortal

@Suite struct ServerTests {
    let portal: PortalFixture
    init() throws { portal = try PortalFixture() }

    var hydrants: String { portal.service("Water_Network/FeatureServer/0") }

    @Test func formatsAreChosenByF() throws {
        let root = portal.service("Water_Network/FeatureServer")
        let html = try Browser.get(root)
        #expect(html.headers["content-type"]?.hasPrefix("text/html") == true)
        let json = try Browser.get(root + "?f=json")
        #expect(json.json["syncEnabled"]?.bool == true)
        let pretty = try Browser.get(root + "?f=pjson")
        #expect(pretty.json == json.json)
        #expect(pretty.text.contains("\n"))
    }

    @Test func errorsRideOn200AndAreHTMLWithoutF() throws {
        let item = portal.sharingURL + "/content/items/ffffffffffffffffffffffffffffffff"
        let json = try Browser.get(item + "?f=json")
        #expect(json.status == 200)
        #expect(json.json["error"]?["messageCode"]?.string == "CONT_0001")
        let html = try Browser.get(item)
        #expect(html.text.hasPrefix("<html><head><title>Error: Item does not exist"))
        #expect(html.text.contains("<b>Error: </b>400"))
    }

    /// Tomcat's `maxPostSize`, 2 MiB.
    @Test func formsThatAreTooLargeAreRefused() throws {
        let folder = try TemporaryFolder()
        for (size, status) in [(1 << 20, 200), (3 << 20, 413)] {
            try Files.writeAtomically(Array(repeating: UInt8(ascii: "9"), count: size), to: folder.file("big"))
            let reply = try Browser.get(
                hydrants + "/query",
                ["--data", "f=json&where=1%3D1&returnCountOnly=true", "--data-urlencode", "comment@\(folder.file("big"))"])
            #expect(reply.status == status)
        }
    }

    /// QGIS asks for the layer that the root names, and takes its extent.
    @Test func layersOfATileServiceAreThere() throws {
        let service = portal.service("World_Street_Map/MapServer")
        let root = try Browser.get(service + "?f=json").json
        let layer = try Browser.get(service + "/0?f=json").json
        #expect(layer["type"]?.string == "Raster Layer")
        #expect(layer["name"]?.string == "World_Street_Map")
        #expect(layer["extent"] == root["fullExtent"])
        #expect(try Browser.get(service + "/layers?f=json").json["layers"]?.array == [layer])
        #expect(try Browser.get(service + "/1?f=json").json["error"]?["code"]?.int == 400)
        let image = try Browser.get(portal.service("Town_Imagery/ImageServer") + "?f=json").json
        #expect(image["singleFusedMapCache"]?.bool == true)
    }

    /// Case A10 and D08: every byte of a form value arrives.
    @Test func formsAreDecodedByteByByte() throws {
        let clause = "FACILITYID <> 'x+y & 50% = é' AND 1=1"
        _ = try Browser.post(hydrants + "/query", [("where", clause), ("returnCountOnly", "true"), ("f", "json")])
        #expect(portal.journal.last?.parameters["where"] == clause)
    }

    @Test func queryAndFormAreMerged() throws {
        let answer = try Browser.post(hydrants + "/query?f=json&unknown=1", [("where", "1=1"), ("returnCountOnly", "true")])
        #expect(answer.json["count"]?.int ?? 0 > 0)
        #expect(portal.journal.last?.parameters["f"] == "json")
    }

    @Test func theJournalHasNoSecrets() throws {
        _ = try Browser.post(
            portal.sharingURL + "/generateToken",
            [("username", "demo"), ("password", "demo"), ("token", "sesame"), ("f", "json")],
            ["-H", "X-Esri-Authorization: Bearer sesame", "-H", "Authorization: Bearer sesame"])
        let entry = try #require(portal.journal.last)
        #expect(entry.parameters["password"] == "***")
        #expect(entry.parameters["token"] == "***")
        #expect(entry.headers["authorization"] == "***")
        #expect(entry.headers["x-esri-authorization"] == "***")
        #expect(entry.method == "POST")
        #expect(entry.status == 200)
    }

    @Test func pagesSayWhenThereIsMore() throws {
        let count = try Browser.get(hydrants + "/query?where=1%3D1&returnCountOnly=true&f=json").json["count"]?.int ?? 0
        let page = try Browser.get(
            hydrants + "/query?where=1%3D1&outFields=OBJECTID&orderByFields=OBJECTID+DESC&resultRecordCount=3&f=json"
        ).json
        #expect(page["exceededTransferLimit"]?.bool == true)
        #expect(page["features"]?.array?.compactMap { $0["attributes"]?["OBJECTID"]?.int } == [count, count - 1, count - 2])
        let last = try Browser.get(hydrants + "/query?where=1%3D1&outFields=OBJECTID&resultOffset=\(count - 1)&f=json").json
        #expect(last["exceededTransferLimit"]?.bool == false)
        #expect(last["features"]?.array?.count == 1)
        let ids = try Browser.get(hydrants + "/query?where=1%3D1&returnIdsOnly=true&f=json").json
        #expect(ids["objectIds"]?.array?.count == count)
        let none = try Browser.get(hydrants + "/query?where=1%3D0&returnIdsOnly=true&f=json").json
        #expect(none["objectIds"] == .null)
    }

    @Test func referencesAreProjected() throws {
        let mercator = try Browser.get(hydrants + "/query?where=1%3D1&returnExtentOnly=true&f=json").json["extent"]
        let degrees = try Browser.get(hydrants + "/query?where=1%3D1&returnExtentOnly=true&outSR=4326&f=json").json["extent"]
        let xmin = try #require(mercator?["xmin"]?.double)
        // 20037508.342789 metres are 180 degrees.
        #expect(abs((degrees?["xmin"]?.double ?? 0) - xmin / 20_037_508.342789 * 180) < 1e-6)
        let box = ["xmin", "ymin", "xmax", "ymax"].map { String(degrees?[$0]?.double ?? 0) }.joined(separator: ",")
        let all = try Browser.get(hydrants + "/query?where=SHAPE%3D1&f=json")
        #expect(all.errorCode == 400)
        let inside = try Browser.post(
            hydrants + "/query", [("geometry", box), ("inSR", "4326"), ("returnCountOnly", "true"), ("f", "json")])
        #expect(inside.json["count"]?.int ?? 0 > 0)
        let elsewhere = try Browser.get(hydrants + "/query?geometry=0,0,1,1&inSR=4326&returnCountOnly=true&f=json")
        #expect(elsewhere.json["count"]?.int == 0)
    }

    @Test func wrongQueriesAreNamed() throws {
        let field = try Browser.get(hydrants + "/query?where=FLOOW%3E3&f=json")
        #expect(field.status == 200)
        #expect(field.errorCode == 400)
        #expect(field.json["error"]?["details"]?[0]?.string == "'Invalid field: FLOOW' parameter is invalid")
        #expect(try Browser.get(hydrants + "/query?f=json").errorCode == 400)
        #expect(try Browser.get(hydrants + "/query?where=1%3D1&outSR=2056&f=json").errorCode == 400)
    }

    @Test func missingTilesAre404() throws {
        let tiles = portal.service("World_Street_Map/MapServer/tile")
        let top = try Browser.get(tiles + "/0/0/0")
        #expect(top.status == 200)
        #expect(top.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try Browser.get(tiles + "/15/0/0?f=json").status == 404)
        let vector = try Browser.get(portal.service("Street_Map/VectorTileServer/tile/0/0/0.pbf"))
        #expect(vector.body.starts(with: [0x1F, 0x8B]))
        #expect(try Browser.get(portal.service("Street_Map/VectorTileServer/tile/16/0/0.pbf")).status == 404)
    }

    /// Both spellings of a member that hosted services write twice are there (REST reference 0.1).
    @Test func vectorMetadataHasADuplicateKey() throws {
        let text = try Browser.get(portal.service("Street_Map/VectorTileServer?f=json")).text
        #expect(text.components(separatedBy: "\"exportTilesAllowed\"").count == 3)
    }

    @Test func relatedRecordsAreThoseWithTheKey() throws {
        let town = TownDataset.make(.hamlet)
        let hydrant = try #require(
            town.water[0].rows.first { row in town.water[5].rows.contains { $0.values[0] == .text(row.globalID) } })
        let expected = town.water[5].rows.filter { $0.values[0] == .text(hydrant.globalID) }.map(\.objectID)
        let answer = try Browser.get(
            hydrants + "/queryRelatedRecords?objectIds=\(hydrant.objectID)&relationshipId=0&outFields=OBJECTID&f=json"
        ).json
        let records = answer["relatedRecordGroups"]?[0]?["relatedRecords"]?.array
        #expect(records?.compactMap { $0["attributes"]?["OBJECTID"]?.int } == expected)
        #expect(try Browser.get(hydrants + "/queryRelatedRecords?objectIds=1&relationshipId=9&f=json").errorCode == 400)
    }

    @Test func attachmentsAreServedWithTheirBytes() throws {
        let table = TownDataset.make(.hamlet).water[0]
        let attachment = try #require(table.attachments.first)
        let owner = try #require(table.rows.first { $0.globalID == attachment.parentGlobalID })
        let list = try Browser.get("\(hydrants)/\(owner.objectID)/attachments?f=json").json
        #expect(list["attachmentInfos"]?[0]?["size"]?.int == attachment.data.count)
        let file = try Browser.get("\(hydrants)/\(owner.objectID)/attachments/\(attachment.id)")
        #expect(file.body == attachment.data)
        #expect(file.headers["content-type"] == attachment.contentType)
        let groups = try Browser.get(hydrants + "/queryAttachments?definitionExpression=1%3D1&returnUrl=true&f=json").json
        #expect(groups["attachmentGroups"]?.array?.isEmpty == false)
    }

    @Test func longAnswersAreCompressedOnRequest() throws {
        let url = portal.service("Water_Network/FeatureServer/layers?f=json")
        let plain = try Browser.get(url)
        #expect(plain.headers["content-encoding"] == nil)
        let packed = try Browser.get(url, ["--compressed"])
        #expect(packed.headers["content-encoding"] == "gzip")
        #expect(packed.body == plain.body)
    }
}
