import Basics
import TestSupport
import Testing

@testable import Geography

/// What real services say about their tiles and coordinate systems.
@Suite(.enabled(if: SharedFiles.isAvailable, .init(rawValue: SharedFiles.skipReason)))
struct RecordedServiceTests {
    /// Every value under a key, anywhere in the recorded documents, with the file that it is from.
    private func values(of key: String) throws -> [(file: String, value: JSON)] {
        var found: [(String, JSON)] = []
        func visit(_ json: JSON, _ file: String) {
            for item in json.array ?? [] { visit(item, file) }
            for member in json.object?.members ?? [] {
                if member.key == key { found.append((file, member.value)) }
                visit(member.value, file)
            }
        }
        for folder in ["mapservers", "imageservers", "vectortileservers", "featureservers"] {
            let path = SharedFiles.path("recorded/\(folder)")
            for name in try Files.list(path) where name.hasSuffix(".json") {
                if let json = try? JSON.parse(try Files.read(path + "/" + name)) { visit(json, name) }
            }
        }
        return found
    }

    @Test func everyTileInfoIsAScheme() throws {
        let infos = try values(of: "tileInfo").filter { $0.value.object != nil }
        #expect(infos.count > 10)
        for (file, info) in infos {
            let lods = info["lods"]?.array ?? []
            if lods.isEmpty { continue }
            guard let scheme = TilingScheme(json: info) else {
                Issue.record("no scheme in \(file)")
                continue
            }
            #expect(scheme.levels.count == lods.count, "\(file)")
            #expect(scheme.levelIDs(minScale: 0, maxScale: 0) == lods.compactMap { $0["level"]?.int }, "\(file)")
            #expect(zip(scheme.levels, scheme.levels.dropFirst()).allSatisfy { $0.scale > $1.scale }, "\(file)")
        }
    }

    @Test func everySpatialReferenceIsKnown() throws {
        let references = Set(try values(of: "spatialReference").compactMap { SpatialReference(json: $0.value) })
        #expect(references.count > 15)
        #expect(references.contains { $0.wkt != nil })
        for reference in references { #expect(throws: Never.self) { try Projection.isGeographic(reference) } }
    }
}
