import Basics

extension ArcGISClient {
    /// A map service (REST reference 6.1).
    public func mapService(_ url: String) async throws(ArcGISError) -> TiledServiceInfo { try await tiledService(url) }

    /// An image service (REST reference 6.1).
    public func imageService(_ url: String) async throws(ArcGISError) -> TiledServiceInfo { try await tiledService(url) }

    private func tiledService(_ url: String) async throws(ArcGISError) -> TiledServiceInfo {
        let (service, answer) = try await service(url)
        let known = ["layers", "tileInfo", "pixelType", "capabilities", "singleFusedMapCache", "mapName"]
        guard known.contains(where: { answer[$0] != nil }) else {
            throw .unexpected("an answer that is no map or image service", answer, url: service)
        }
        return TiledServiceInfo(url: service, json: answer)
    }
}
