import Basics

extension ArcGISClient {
    /// A vector tile service (REST reference 7.1).
    public func vectorTileService(_ url: String) async throws(ArcGISError) -> VectorTileServiceInfo {
        let (service, answer) = try await service(url)
        guard ["tileInfo", "tiles", "defaultStyles"].contains(where: { answer[$0] != nil }) else {
            throw .unexpected("an answer that is no vector tile service", answer, url: service)
        }
        return VectorTileServiceInfo(url: service, json: answer)
    }

    /// The style of a vector tile layer.
    public func vectorStyle(_ url: String) async throws(ArcGISError) -> VectorStyle {
        let document = try await json(url)
        guard document["layers"]?.array != nil || document["sources"]?.object != nil else {
            throw .unexpected("an answer that is no style", document, url: url)
        }
        return VectorStyle(url: url, document: document)
    }

    /// The URLs of all files that belong to the style of a service: fonts and sprites (`resources/info`, REST reference 7.2).
    public func vectorTileResources(of serviceURL: String) async throws(ArcGISError) -> [String] {
        let url = serviceURL + "/resources/info"
        let answer = try await json(url)
        guard let listed = answer["resourceInfo"]?.array else {
            throw .unexpected("an answer that lists no resources", answer, url: url)
        }
        return listed.compactMap(\.string).compactMap { URLText.resolve($0, against: url + "/root.json") }
    }

    /// The service that a map's vector tile layer draws: its URL, else its style's source, else its item's URL (REST
    /// reference 9.5); nil when none of them says. With the style, where it was read.
    public func vectorTileServiceURL(of layer: WebMapLayer) async throws(ArcGISError) -> (url: String, style: VectorStyle?)? {
        if let address = layer.address, address.type == .vectorTile { return (address.service, nil) }
        var read: VectorStyle?
        if let styleURL = layer.styleURL {
            let style = try await vectorStyle(styleURL)
            if let url = style.serviceURLs.first { return (url, style) }
            read = style
        }
        guard let id = layer.itemID else { return nil }
        return try await item(id).url.flatMap { ServiceAddress($0) }.map { ($0.service, read) }
    }
}
