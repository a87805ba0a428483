import Basics

/// A query to be sent as it stands: the URL of `…/query` and its parameters without `f` and token.
public struct ServiceQuery: Sendable, Hashable {
    public var url: String
    public var parameters: [String: String]

    public init(url: String, parameters: [String: String]) {
        self.url = url
        self.parameters = parameters
    }
}

/// All features that a query gave, over all its pages.
public struct FeatureSet: Sendable, Hashable {
    /// Esri JSON features: `attributes` and, when asked for, `geometry`.
    public var features: [JSON]
    /// The last page's description: `fields`, `geometryType`, `spatialReference`.
    public var description: JSON
}

extension ArcGISClient {
    /// How many rows pass. The answer may come as plain text (REST reference 5.2, recorded answers).
    public func count(_ query: ServiceQuery) async throws(ArcGISError) -> Int {
        var parameters = query.parameters
        parameters["returnCountOnly"] = "true"
        let answer = try await json(query.url, parameters)
        guard let count = answer["count"]?.int ?? answer.int, count >= 0 else {
            throw .unexpected("an answer without a count", answer, url: query.url)
        }
        return count
    }

    /// The rows of a layer, page by page as far as the service pages, else by object ids (REST reference 5.3). Fewer than the service
    /// counts are an error (cases D01, D02).
    public func features(
        of layerURL: String, where clause: String = "1=1", outFields: [String] = ["*"], returnGeometry: Bool = true,
        outSR: Int? = nil
    ) async throws(ArcGISError) -> FeatureSet {
        let layer = try await layer(layerURL)
        let url = URLText.join(ServiceAddress(layerURL)?.layerURL ?? layerURL, "query")
        var parameters = [
            "where": clause, "outFields": outFields.joined(separator: ","), "returnGeometry": returnGeometry ? "true" : "false",
        ]
        if let outSR { parameters["outSR"] = String(outSR) }
        let all = ServiceQuery(url: url, parameters: ["where": clause])
        // A service that cannot count is believed.
        let before = try? await count(all)
        var reader = FeatureReader(url: url, parameters: parameters, layer: layer)
        let found =
            try await layer.supportsPagination && layer.objectIDField != nil
            ? reader.readPages(through: self) : reader.readByID(through: self)
        if reader.isCut, before == nil {
            throw .unexpected("pages without rows, although more follow", found.description, url: url)
        }
        if let before, found.features.count < before {
            // Some may have been deleted meanwhile.
            let least = min(before, (try? await count(all)) ?? before)
            if found.features.count < least {
                let words = "\(found.features.count) of the \(least) rows that the service counts"
                throw ArcGISError(kind: .unexpectedAnswer(what: words, excerpt: ""), url: url, httpStatus: 200)
            }
        }
        return found
    }
}

/// Collects pages; rows that came twice, because of edits between pages, count once.
private struct FeatureReader {
    let url: String
    let parameters: [String: String]
    let layer: LayerInfo
    var features: [JSON] = []
    var description = JSON.null
    var seen: Set<Int> = []
    /// The service says that more rows follow and gives none.
    private(set) var isCut = false

    init(url: String, parameters: [String: String], layer: LayerInfo) {
        self.url = url
        self.parameters = parameters
        self.layer = layer
    }

    mutating func readPages(through client: ArcGISClient) async throws(ArcGISError) -> FeatureSet {
        var size = min(layer.maxRecordCount ?? 1_000, 2_000)
        var offset = 0
        var empty = 0
        while true {
            let page: JSON
            do {
                page = try await client.json(
                    url,
                    parameters.merging([
                        "resultOffset": String(offset), "resultRecordCount": String(size),
                        "orderByFields": layer.objectIDField ?? "",
                    ]) { $1 })
            } catch {
                guard error.suggestsSmallerPage, size > 250 else { throw error }
                size = max(250, size / 2)
                continue
            }
            let count = try add(page)
            offset += count
            let goesOn = page["exceededTransferLimit"]?.bool == true
            if count == 0, goesOn {
                // Nothing came because too much would have: asked again for less.
                empty += 1
                if empty == 4 {
                    isCut = true
                    return result
                }
                size = max(1, size / 2)
                continue
            }
            empty = 0
            if count == 0 || (!goesOn && count < size) { return result }
            // A server that gives less than was asked for tells its real page size.
            if count < size { size = count }
        }
    }

    mutating func readByID(through client: ArcGISClient) async throws(ArcGISError) -> FeatureSet {
        let answer = try await client.json(url, ["where": parameters["where"] ?? "1=1", "returnIdsOnly": "true"])
        guard let listed = answer["objectIds"] else { throw .unexpected("an answer without object ids", answer, url: url) }
        let ids = (listed.array ?? []).compactMap(\.int).sorted()
        let size = max(1, min(layer.maxRecordCount ?? 100, 100))
        for start in stride(from: 0, to: ids.count, by: size) {
            let chunk = ids[start..<min(start + size, ids.count)].map(String.init).joined(separator: ",")
            var parameters = parameters
            parameters["where"] = nil
            parameters["objectIds"] = chunk
            _ = try add(try await client.json(url, parameters))
        }
        return result
    }

    private mutating func add(_ page: JSON) throws(ArcGISError) -> Int {
        guard let rows = page["features"]?.array else { throw .unexpected("an answer without features", page, url: url) }
        let idField = page["objectIdFieldName"]?.string ?? layer.objectIDField
        for row in rows {
            let id = idField.flatMap { row["attributes"]?[$0]?.int }
            if let id, !seen.insert(id).inserted { continue }
            features.append(row)
        }
        description = page
        description["features"] = nil
        return rows.count
    }

    private var result: FeatureSet { FeatureSet(features: features, description: description) }
}
