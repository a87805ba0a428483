import Basics
import TestSupport
import Testing

@testable import Formats

/// The recorded conf.xml files (formats.md 1.4): levels, tile size and storage as a person read them. Caches of single files have no
/// bundles to read and are refused by name.
@Suite(.enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
struct CacheDescriptionTests {
    private func line(_ file: String) throws -> String {
        let conf = try XMLElement.parse(Files.read(SharedFiles.path("recorded/mapservers/" + file)))
        do throws(MetadataError) {
            let cache = try CacheMetadata(conf: conf, extent: nil)
            return "\(cache.scheme.levels.count) levels, \(cache.scheme.tileWidth) px, \(cache.imageFormat), "
                + "\(cache.storage.map(\.rawValue) ?? "-")"
        } catch {
            return "\(error.field): \(error.found ?? "")"
        }
    }

    @Test("recorded cache descriptions")
    func recorded() throws {
        let expected = [
            "cache-conf-09.2.xml": "18 levels, 512 px, JPEG, -",
            "cache-conf-10.0.xml": "storageFormat: esriMapCacheStorageModeExploded",
            "cache-conf-10.1.xml": "storageFormat: esriMapCacheStorageModeExploded",
            "cache-conf-compact-v2-sample.xml": "20 levels, 256 px, JPEG, esriMapCacheStorageModeCompactV2",
            "cache-conf-compact-v2.xml": "20 levels, 256 px, JPEG, esriMapCacheStorageModeCompactV2",
        ]
        let files = try Files.list(SharedFiles.path("recorded/mapservers")).filter { $0.hasSuffix(".xml") }
        #expect(Set(files) == Set(expected.keys))
        for file in files { #expect(try line(file) == expected[file], "\(file)") }
    }
}
