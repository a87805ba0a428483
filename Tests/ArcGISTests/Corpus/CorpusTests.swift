import Basics
import Foundation
import TestSupport
import Testing
import Transport

@testable import ArcGIS

/// Every recorded document through the reader of its kind, with an outcome that is written down; a file without a line fails.
@Suite("Recorded documents", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
struct CorpusTests {
    /// Reads every file of a folder and compares what came of it with the table.
    private func check(
        _ folder: String, _ table: String, besides: [String] = [], _ read: (String, [UInt8]) async throws -> String
    ) async throws {
        var found: [String] = []
        for file in try Files.list(SharedFiles.path("recorded/" + folder)).sorted() where !besides.contains(file) {
            let bytes = try Files.read(SharedFiles.path("recorded/\(folder)/\(file)"))
            found.append("\(file): \(try await read(file, bytes))")
        }
        let expected = table.split(separator: "\n").map(String.init)
        #expect(Set(found).subtracting(expected).sorted() == [], "not as the table of \(folder) has it")
        #expect(Set(expected).subtracting(found).sorted() == [], "expected in \(folder)")
    }

    private func checkJSON(
        _ folder: String, _ table: String, besides: [String] = [], _ read: (JSON) async throws -> String
    ) async throws {
        try await check(folder, table, besides: besides) { try await read(JSON.parse($1)) }
    }

    private static func word(_ text: String?) -> String { text.flatMap { $0.isEmpty ? nil : $0 } ?? "-" }
    private static func yes(_ flag: Bool) -> String { flag ? "yes" : "no" }
    private static func number(_ value: Double?) -> String { value.map { String(format: "%g", $0) } ?? "-" }
    private static func geometry(_ type: String?) -> String { word(type?.replacing("esriGeometry", with: "")) }

    @Test("no folder and no file is forgotten")
    func folders() throws {
        let known = [
            "README.md", "errors", "featureservers", "imageservers", "items", "layers", "mapservers", "queries", "replicas",
            "styles", "urls-openaddresses.txt", "vectortileservers", "webmaps",
        ]
        #expect(try Files.list(SharedFiles.path("recorded")).sorted() == known)
    }

    @Test("feature services")
    func featureServices() async throws {
        try await checkJSON("featureservers", CorpusTable.featureServers) { json in
            let info = FeatureServiceInfo(url: "https://h/FeatureServer", root: json)
            return "version \(Self.number(info.currentVersion)), \(info.layers.count) layers, \(info.tables.count) tables, "
                + "sync \(Self.yes(info.canSync))"
        }
    }

    @Test("layers and tables")
    func layers() async throws {
        try await checkJSON("layers", CorpusTable.layers) { json in
            let info = LayerInfo(json)
            return "\(Self.word(info.type)), \(Self.geometry(info.geometryType)), \(info.fields.count) fields, "
                + "\(Self.word(info.objectIDField)), \(Self.word(info.globalIDField)), "
                + "attachments \(Self.yes(info.hasAttachments)), \(info.relationships.count) relationships"
        }
    }

    @Test("items")
    func items() async throws {
        try await checkJSON("items", CorpusTable.items) { json in
            let item = PortalItem(json)
            let service = item.url.flatMap(ServiceAddress.init)?.type?.rawValue
            return "\(Self.word(item.id)), \(Self.word(item.type)), \(Self.word(service))"
        }
    }

    @Test("map, image and vector tile services")
    func tiles() async throws {
        func line(_ json: JSON) -> String {
            let info = TiledServiceInfo(url: "https://h/MapServer", json: json)
            return "version \(Self.number(info.currentVersion)), cached \(Self.yes(info.isCached)), "
                + "\(info.tilingScheme?.levels.count ?? 0) levels, export \(Self.yes(info.exportTilesAllowed))"
        }
        try await checkJSON("mapservers", CorpusTable.mapServers, besides: CorpusTable.cacheDescriptions, line)
        try await checkJSON("imageservers", CorpusTable.imageServers, line)
        try await checkJSON("vectortileservers", CorpusTable.vectorTileServers) { json in
            let info = VectorTileServiceInfo(url: "https://h/VectorTileServer", json: json)
            #expect(info.exportTilesAllowed == TiledServiceInfo(url: "", json: json).exportTilesAllowed)
            return line(json)
        }
    }

    @Test("styles")
    func styles() async throws {
        try await checkJSON("styles", CorpusTable.styles) { json in
            let style = VectorStyle(
                url: "https://h/a/rest/services/V/VectorTileServer/resources/styles/root.json", document: json)
            let (layers, sources) = (style.document["layers"]?.array, style.document["sources"]?.object)
            return
                "\(layers?.count ?? 0) layers, \(sources?.members.count ?? 0) sources, sprite \(Self.yes(style.spriteURL != nil)), glyphs \(Self.yes(style.glyphsURL != nil))"
        }
    }

    @Test("jobs and what replicas say of themselves")
    func replicas() async throws {
        try await checkJSON("replicas", CorpusTable.replicas) { json in
            guard let status = ServerJobStatus(url: "https://h/jobs/1", answer: json) else { return "no job" }
            return "job \(status.state)"
        }
    }

    /// As the service that was asked would give them: rows to a query of pages, ids and counts to their own questions.
    @Test("queries")
    func queries() async throws {
        try await check("queries", CorpusTable.queries) { _, bytes in
            let json = try? JSON.parse(bytes)
            let field = json?["objectIdFieldName"]?.string ?? "OBJECTID"
            let asksIDs = json?["objectIds"] != nil
            let layer: JSON = ["objectIdField": .string(field), "supportsPagination": .bool(!asksIDs), "fields": []]
            let (client, _) = client { request in
                guard request.path.hasSuffix("/query") else { return .json(layer.serialized()) }
                if let list = request.parameters["objectIds"] {
                    let rows = list.split(separator: ",").map { #"{"attributes":{"\#(field)":\#($0)}}"# }
                    return .json(#"{"features":[\#(rows.joined(separator: ","))]}"#)
                }
                let isLater = (request.parameters["resultOffset"] ?? "0") != "0"
                return isLater ? .json(#"{"features":[]}"#) : HTTPResponse(status: 200, body: bytes, url: "")
            }
            do throws(ArcGISError) {
                if json?["count"] != nil, json?["features"] == nil {
                    return
                        "count \(try await client.count(ServiceQuery(url: "https://h/FeatureServer/0/query", parameters: [:])))"
                }
                let set = try await client.features(of: "https://h/a/rest/services/W/FeatureServer/0")
                if asksIDs { return "\(set.features.count) ids" }
                // The last page may be an empty one: what the recorded one says is read from it itself.
                return "\(set.features.count) rows, \(Self.geometry(json?["geometryType"]?.string)), "
                    + "more \(Self.yes(json?["exceededTransferLimit"]?.bool == true))"
            } catch {
                return error.isTransient || error.code == nil ? "refused" : "\(error)"
            }
        }
    }

    /// What servers were seen to write: members nobody knows, one twice, numbers as texts, NaN, lists that are no lists.
    @Test("odd members")
    func odd() throws {
        let json = try JSON.parse(
            #"{"zzz":{"a":[1]},"currentVersion":"11.3","capabilities":"Sync","capabilities":"Query","layers":"none","tables":null,"#
                + #""id":"3","name":7,"fields":{"name":"A"},"relationships":[null,{"relatedTableId":"4"}],"maxRecordCount":"2000","#
                + #""fullExtent":{"xmin":"NaN","ymin":"NaN","xmax":"NaN","ymax":"NaN"},"exportTilesAllowed":"true","#
                + #""tileInfo":{"rows":"256","cols":256,"lods":"none"},"url":["x"],"type":null,"typeKeywords":"Web Map"}"#)
        let service = FeatureServiceInfo(url: "u", root: json)
        #expect(service.currentVersion == 11.3 && !service.canSync && service.layers.isEmpty && service.tables.isEmpty)
        #expect(service.fullExtent == nil && service.maxRecordCount == 2000)
        let layer = LayerInfo(json)
        #expect(layer.id == 3 && layer.name == "3" && layer.fields.isEmpty && layer.relationships.map(\.relatedTableID) == [4])
        let tiles = TiledServiceInfo(url: "u", json: json)
        #expect(tiles.exportTilesAllowed && tiles.tilingScheme == nil && tiles.fullExtent == nil)
        let item = PortalItem(json)
        #expect(item.url == nil && item.type.isEmpty && item.typeKeywords.isEmpty)
        #expect(ServerJobStatus(url: "u", answer: json) == nil)
    }
}
