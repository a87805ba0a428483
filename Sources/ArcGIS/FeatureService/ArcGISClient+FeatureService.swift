import Basics

/// Metadata of feature services (REST reference 3).
extension ArcGISClient {
    /// A service with all that its layers say: the root and `/layers`, or one request a layer where that is not answered.
    ///
    /// - Parameter onlyIfCopied: asks no more than the root of a service that gives no copies of its data.
    public func featureService(_ url: String, onlyIfCopied: Bool = false) async throws(ArcGISError) -> FeatureServiceInfo {
        let (service, root) = try await service(url)
        guard root["layers"]?.array != nil || root["tables"]?.array != nil || root["capabilities"] != nil else {
            throw .unexpected("an answer that is no feature service", root, url: service)
        }
        let summary = FeatureServiceInfo(url: service, root: root)
        if onlyIfCopied, !summary.canSync, !summary.canCopyWithoutRegistering { return summary }
        return FeatureServiceInfo(url: service, root: root, details: try await layerDetails(of: service, root: root))
    }

    private func layerDetails(of service: String, root: JSON) async throws(ArcGISError) -> [Int: JSON] {
        let ids = ["layers", "tables"].flatMap { root[$0]?.array ?? [] }.compactMap { $0["id"]?.int }
        if ids.isEmpty { return [:] }
        var details: [Int: JSON] = [:]
        do {
            let all = try await json(service + "/layers")
            for layer in (all["layers"]?.array ?? []) + (all["tables"]?.array ?? []) {
                if let id = layer["id"]?.int, layer["fields"]?.array != nil || layer["type"]?.string == "Group Layer" {
                    details[id] = layer
                }
            }
        } catch {
            guard error.isWorthAskingEachLayer else { throw error }
        }
        for id in ids where details[id] == nil {
            do {
                details[id] = try await json("\(service)/\(id)")
            } catch {
                // One broken layer does not hide the others; what the root says of it stays (cases E06).
                guard error.isWorthAskingEachLayer else { throw error }
            }
        }
        return details
    }

    public func layer(_ url: String) async throws(ArcGISError) -> LayerInfo {
        let address = ServiceAddress(url)
        return LayerInfo(try await json(address?.layerURL ?? url))
    }
}

extension ArcGISError {
    /// The service cannot do this call; others may still work.
    fileprivate var isWorthAskingEachLayer: Bool {
        if case .transport = kind { return false }
        return !isTransient && !isAuthentication && !isDenied
    }
}
