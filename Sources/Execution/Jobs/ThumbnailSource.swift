import ArcGIS
import Basics
import Packaging

/// The picture of the manifest, else that of the web map's item; fetched once a run. A map without one is a map all the same.
actor ThumbnailSource {
    private let client: ArcGISClient
    private let url: String?
    private let file: String?
    private var task: Task<Thumbnail?, Never>?

    init(client: ArcGISClient, url: String?, file: String? = nil) {
        self.client = client
        self.url = url
        self.file = file
    }

    func picture() async -> Thumbnail? {
        if let task { return await task.value }
        let task = Task { [client, url, file] () -> Thumbnail? in
            if let file {
                let bytes = await offPool { () throws(Never) in try? Files.read(file) }
                return bytes.flatMap { Thumbnail(bytes: $0) }
            }
            guard let url, let bytes = try? await client.bytes(url) else { return nil }
            return Thumbnail(bytes: bytes)
        }
        self.task = task
        return await task.value
    }
}
