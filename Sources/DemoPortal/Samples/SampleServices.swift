import Basics
import Geography

/// Services whose results are files that Esri software made (`--samples DIR`).
struct SampleServices: Sendable {
    let folder: String
    let places: Places
    let limit: Int

    func add(to content: inout Content, _ maker: ItemMaker, _ maps: WebMaps) throws(ConfigurationError) {
        guard Files.isDirectory(folder) else { throw ConfigurationError(message: "--samples \(folder) is not a folder") }
    }
}
