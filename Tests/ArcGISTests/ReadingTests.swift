import Basics
import Synchronization
import Testing
import Transport

@testable import ArcGIS

@Suite("Reading services")
struct ReadingTests {
    private static let service = "https://h/a/rest/services/W/FeatureServer"

    @Test("a feature service reads its layers in one call, or one by one")
    func featureService() async throws {
        let root =
            #"{"capabilities":"Query, sync","layers":[{"id":3,"name":"Sites"},{"id":5,"name":"Broken"}],"tables":[{"id":7,"name":"Visits"}]}"#
        func answers(_ all: String) -> @Sendable (HTTPRequest) async -> HTTPResponse {
            { request in
                switch request.path {
                case Self.service: .json(root)
                case Self.service + "/layers": .json(all)
                case Self.service + "/3": .json(#"{"id":3,"name":"Sites","globalIdField":"G","fields":[]}"#)
                case Self.service + "/7": .json(#"{"id":7,"name":"Visits","type":"Table","fields":[]}"#)
                default: .json(#"{"error":{"code":400,"message":"Layer is broken"}}"#)
                }
            }
        }
        let (oneCall, first) = client(
            answering: answers(
                #"{"layers":[{"id":3,"name":"Sites","fields":[],"globalIdField":"G"},{"id":5,"name":"B","fields":[]}],"tables":[{"id":7,"name":"Visits","fields":[]}]}"#
            ))
        let info = try await oneCall.featureService(Self.service + "/3/")
        #expect(info.url == Self.service && info.canSync && info.layer(3)?.globalIDField == "G" && info.layer(7)?.isTable == true)
        #expect(await first.requests.count == 2)
        let (oneByOne, second) = client(answering: answers(#"{"error":{"code":400,"message":"Invalid URL"}}"#))
        let same = try await oneByOne.featureService(Self.service)
        #expect(same.layer(3)?.globalIDField == "G" && same.layer(7)?.isSummary == false)
        // A layer that does not answer keeps what the root says of it.
        #expect(same.layer(5)?.isSummary == true && same.layer(5)?.name == "Broken")
        #expect(await second.requests.count == 5)
    }

    @Test("a service that has moved to https is used where it is now")
    func moved() async throws {
        let (client, _) = client { request in
            HTTPResponse(
                status: 200, body: Array(#"{"capabilities":"Sync","layers":[]}"#.utf8),
                url: "https://new.org/a/rest/services/W/FeatureServer?f=json")
        }
        #expect(
            try await client.featureService("http://old.org/a/rest/services/W/FeatureServer/0").url
                == "https://new.org/a/rest/services/W/FeatureServer")
    }

    @Test("a transient error is not taken for a missing resource")
    func transient() async throws {
        let (client, _) = client { request in
            request.path.hasSuffix("layers") ? .json("", status: 503) : .json(#"{"layers":[{"id":0}]}"#)
        }
        #expect(await failure { () throws(ArcGISError) in try await client.featureService(Self.service) }?.code == 503)
    }

    @Test(
        "counts",
        arguments: [(#"{"count": 42}"#, 42), ("42", 42), (#"{"count":"7"}"#, 7), (#"{"features":[]}"#, nil)] as [(String, Int?)])
    func counts(_ body: String, _ expected: Int?) async throws {
        let (client, journal) = client { _ in .json(body) }
        let query = ServiceQuery(url: Self.service + "/3/query", parameters: ["where": "1=1"])
        let count = try? await client.count(query)
        #expect(count == expected)
        #expect(await journal.requests[0].parameters["returnCountOnly"] == "true")
    }

    /// A layer of seven rows that gives three at a time.
    @Test("pages: shorter ones than asked for, a row twice, and object ids where there are no pages")
    func paging() async throws {
        @Sendable func rows(_ ids: [Int]) -> String {
            #"{"objectIdFieldName":"ID","features":["# + ids.map { #"{"attributes":{"ID":\#($0)}}"# }.joined(separator: ",") + "]"
        }
        let (paged, first) = client { request in
            guard request.path.hasSuffix("/query") else {
                return .json(
                    #"{"id":3,"objectIdField":"ID","maxRecordCount":5,"advancedQueryCapabilities":{"supportsPagination":true},"fields":[]}"#
                )
            }
            let offset = Int(request.parameters["resultOffset"] ?? "") ?? -1
            let size = min(3, Int(request.parameters["resultRecordCount"] ?? "") ?? 0)
            let ids = Array((1...7).dropFirst(max(0, offset)).prefix(size))
            return .json(rows(ids) + (offset + ids.count < 7 ? #","exceededTransferLimit":true}"# : "}"))
        }
        let all = try await paged.features(of: Self.service + "/3", outFields: ["ID"], outSR: 4326)
        #expect(all.features.compactMap { $0["attributes"]?["ID"]?.int } == [1, 2, 3, 4, 5, 6, 7])
        let queries = await first.requests.filter { $0.parameters["resultOffset"] != nil }
        #expect(queries.map { $0.parameters["resultOffset"] } == ["0", "3", "6"])
        #expect(queries.map { $0.parameters["resultRecordCount"] } == ["5", "3", "3"])
        #expect(queries.allSatisfy { $0.parameters["orderByFields"] == "ID" && $0.parameters["outSR"] == "4326" })

        let (byID, second) = client { request in
            guard request.path.hasSuffix("/query") else {
                return .json(#"{"id":3,"objectIdField":"ID","maxRecordCount":2,"fields":[]}"#)
            }
            if request.parameters["returnIdsOnly"] == "true" { return .json(#"{"objectIds":[5,1,3]}"#) }
            return .json(rows((request.parameters["objectIds"] ?? "").split(separator: ",").compactMap { Int($0) }) + "}")
        }
        let three = try await byID.features(of: Self.service + "/3")
        #expect(three.features.count == 3)
        #expect(await second.requests.compactMap { $0.parameters["objectIds"] } == ["1,3", "5"])
    }

    /// Seven rows, three a page; the second page is empty although more follow, as often as `blanks` says; the last has a row more than
    /// a page (case D02).
    @Test("an empty page is no end while the server says that more follow", arguments: [1, 9])
    func emptyPages(_ blanks: Int) async throws {
        let left = Mutex(blanks)
        let (client, journal) = client { request in
            guard request.path.hasSuffix("/query") else {
                return .json(#"{"objectIdField":"ID","maxRecordCount":3,"supportsPagination":true,"fields":[]}"#)
            }
            if request.parameters["returnCountOnly"] == "true" { return .json(#"{"count":7}"#) }
            let offset = Int(request.parameters["resultOffset"] ?? "") ?? -1
            var isBlank = false
            if offset == 3 {
                isBlank = left.withLock { rest in
                    rest -= 1
                    return rest >= 0
                }
            }
            let ids = isBlank ? [] : offset == 0 ? [1, 2, 3] : offset == 3 ? [4, 5, 6, 7] : []
            let features = ids.map { #"{"attributes":{"ID":\#($0)}}"# }.joined(separator: ",")
            let flag = offset == 0 || isBlank ? #","exceededTransferLimit":true"# : ""
            return .json(#"{"objectIdFieldName":"ID","features":[\#(features)]\#(flag)}"#)
        }
        func read() async throws -> [Int] {
            try await client.features(of: Self.service + "/3").features.compactMap { $0["attributes"]?["ID"]?.int }
        }
        if blanks == 1 {
            #expect(try await read() == [1, 2, 3, 4, 5, 6, 7])
        } else {
            await #expect(throws: ArcGISError.self) { try await read() }
        }
        #expect(await journal.requests.count { $0.parameters["resultOffset"] != nil } <= 6)
    }

    /// Some servers say so of a layer that has no rows.
    @Test("more that never comes is no trouble when there is nothing by the service's count")
    func emptyLayer() async throws {
        let (client, _) = client { request in
            guard request.path.hasSuffix("/query") else {
                return .json(#"{"objectIdField":"ID","supportsPagination":true,"fields":[]}"#)
            }
            return request.parameters["returnCountOnly"] == "true"
                ? .json(#"{"count":0}"#) : .json(#"{"features":[],"exceededTransferLimit":true}"#)
        }
        #expect(try await client.features(of: Self.service + "/3").features.isEmpty)
    }

    @Test("fewer rows than the service counts are an error with both numbers; those that were deleted meanwhile are not missed")
    func fewerThanCounted() async throws {
        func read(_ counts: [Int]) async -> (rows: Int?, words: String?) {
            let rest = Mutex(counts)
            let (client, _) = client { request in
                guard request.path.hasSuffix("/query") else { return .json(#"{"objectIdField":"ID","fields":[]}"#) }
                if request.parameters["returnCountOnly"] == "true" {
                    return .json(#"{"count":\#(rest.withLock { $0.removeFirst() })}"#)
                }
                if request.parameters["returnIdsOnly"] == "true" { return .json(#"{"objectIds":[1,2]}"#) }
                return .json(#"{"features":[{"attributes":{"ID":1}},{"attributes":{"ID":2}}]}"#)
            }
            do throws(ArcGISError) { return (try await client.features(of: Self.service + "/3").features.count, nil) } catch {
                return (nil, error.message)
            }
        }
        #expect(await read([5, 5]).words?.contains("2 of the 5 rows that the service counts") == true)
        #expect(await read([5, 2]).rows == 2)
        #expect(await read([2]).rows == 2)
    }

    @Test("a service that cannot page so far gives smaller pages")
    func halving() async throws {
        let (client, journal) = client { request in
            guard request.path.hasSuffix("/query") else {
                return .json(#"{"objectIdField":"ID","maxRecordCount":1000,"supportsPagination":true,"fields":[]}"#)
            }
            let size = Int(request.parameters["resultRecordCount"] ?? "") ?? 0
            return size > 300
                ? .json(#"{"error":{"code":400,"message":"Unable to complete operation."}}"#) : .json(#"{"features":[]}"#)
        }
        #expect(try await client.features(of: Self.service + "/3").features.isEmpty)
        #expect(await journal.requests.compactMap { $0.parameters["resultRecordCount"] } == ["1000", "500", "250"])
    }

    @Test("the service of a vector tile layer: URL, style, item")
    func vectorService() async throws {
        let (client, _) = client { request in
            switch request.path {
            case "https://gis.example.org/portal/sharing/rest/content/items/sty/resources/styles/root.json":
                .json(
                    #"{"version":8,"layers":[],"sources":{"esri":{"type":"vector","url":"https://h/a/rest/services/V/VectorTileServer"}}}"#
                )
            case "https://gis.example.org/portal/sharing/rest/content/items/it":
                .json(#"{"id":"it","type":"Vector Tile Service","url":"https://h/a/rest/services/I/VectorTileServer/"}"#)
            default: .json("{}", status: 404)
            }
        }
        let map = try WebMap(
            document: JSON.parse(
                """
                {"baseMap":{"baseMapLayers":[
                  {"layerType":"VectorTileLayer","url":"https://h/a/rest/services/U/VectorTileServer"},
                  {"layerType":"VectorTileLayer","styleUrl":"https://gis.example.org/portal/sharing/rest/content/items/sty/resources/styles/root.json","itemId":"it"},
                  {"layerType":"VectorTileLayer","itemId":"it"}]}}
                """))
        var found: [String?] = []
        for layer in map.layers { found.append(try await client.vectorTileServiceURL(of: layer)?.url) }
        #expect(found == ["U", "V", "I"].map { "https://h/a/rest/services/\($0)/VectorTileServer" })
    }

    @Test("unregistering, item resources")
    func bookkeeping() async throws {
        let (client, journal) = client { request in
            if request.path.hasSuffix("/resources") {
                return request.parameters["start"] == "1"
                    ? .json(#"{"total":2,"start":1,"num":1,"nextStart":2,"resources":[{"resource":"styles/root.json"}]}"#)
                    : .json(#"{"nextStart":-1,"resources":[{"resource":"sprites/s.png"}]}"#)
            }
            return .json(#"{"success":true}"#)
        }
        try await client.unregisterReplica(Self.service, id: "R1")
        let sent = await journal.requests[0]
        #expect(sent.method == .post && sent.path == Self.service + "/unRegisterReplica" && sent.parameters["replicaID"] == "R1")
        #expect(try await client.itemResources("i") == ["styles/root.json", "sprites/s.png"])
    }

    @Test(
        "an item that is no map is named as what it is, whatever its data",
        arguments: [
            (#""type":"Feature Service""#, "", "an item of the type Feature Service, which is no web map"),
            (#""type":"Feature Service""#, #"{"layers":[{"id":0}]}"#, "an item of the type Feature Service, which is no web map"),
            (#""type":"PDF""#, "%PDF-1.4", "an item of the type PDF, which is no web map"),
            // Old portals write types in their own language: then the keywords tell, or the data itself.
            (#""type":"Mapa web","typeKeywords":["Web Map"]"#, "", "an empty answer"),
            (#""type":"Mapa web""#, #"{"operationalLayers":[]}"#, nil), (#""type":"Web Map""#, #"{"a":1}"#, nil),
        ] as [(String, String, String?)])
    func otherItems(_ members: String, _ data: String, _ expected: String?) async throws {
        let (client, _) = client { request in
            .json(request.path.hasSuffix("/data") ? data : #"{"id":"i","title":"T",\#(members)}"#)
        }
        let item = try await client.item("i")
        let error = await failure { () throws(ArcGISError) in try await client.mapData(of: item) }
        #expect(error?.message == expected)
        if expected?.hasPrefix("an item") == true { #expect(error?.isTransient == false) }
    }

    @Test("the exporting twin of a base map")
    func exportHosts() throws {
        let portal = PortalSelf(
            try JSON.parse(
                #"{"helperServices":{"packaging":{"exportTilesMap":[{"source":"https://services.arcgisonline.com","export":"https://tiledbasemaps.arcgis.com"}]}}}"#
            ))
        #expect(
            portal.exportHosts.exportURL(for: "http://services.arcgisonline.com/ArcGIS/rest/services/World_Imagery/MapServer")
                == "https://tiledbasemaps.arcgis.com/ArcGIS/rest/services/World_Imagery/MapServer")
        #expect(portal.exportHosts.exportURL(for: "https://basemaps-api.arcgis.com/x") == nil)
    }
}
