import ArcGIS
import Packaging

/// The picture of the web map's item, fetched once a run. A map without one is a map all the same.
actor ThumbnailSource {
    private let client: ArcGISClient
    private let url: String?
    private var task: Task<Thumbnail?, Never>?

    init(client: ArcGISClient, url: String?) {
        self.client = client
        self.url = url
    }

    func picture() async -> Thumbnail? {
        if let task { return await task.value }
        let task = Task { [client, url] () -> Thumbnail? in
            guard let url, let bytes = try? await client.bytes(url) else { return nil }
            return Thumbnail(bytes: bytes)
        }
        self.task = task
        return await task.value
    }
}
