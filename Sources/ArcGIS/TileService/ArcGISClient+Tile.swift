import Basics
import Transport

extension ArcGISClient {
    /// How a service keeps what it sends.
    public enum Storage: Sendable, Hashable {
        /// As it is once it has arrived: pictures, heights, fonts.
        case plain
        /// Compressed, as it travels: vector tiles (formats.md 2).
        case compressed
    }

    /// How many bytes a tile or another resource has where it is stored; nil when there is none (REST reference 6.2, 7.2). A reading
    /// GET: it starts nothing.
    public func size(of url: String, stored storage: Storage) async throws(ArcGISError) -> Int? {
        do {
            return try await resource(url) { response throws(ArcGISError) in
                guard storage == .compressed, response.headers["Content-Encoding"] != nil else { return response.body.count }
                // The transport has unpacked it: only the header still tells what came.
                guard let length = response.headers["Content-Length"].flatMap({ Int($0) }) else {
                    throw .unexpected("a tile without its length", .null, url: url)
                }
                return length
            }
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }
}
