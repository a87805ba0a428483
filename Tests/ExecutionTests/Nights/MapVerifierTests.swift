import Basics
import Packaging
import Planning
import TestSupport
import Testing

@testable import Execution

/// `verify` does not believe hashes alone: it counts again what is in the packages.
@Suite(.serialized) struct MapVerifierTests {
    @Test("rows and tiles are counted again: an inventory that says otherwise, with every hash in order, is found")
    func recounts() async throws {
        let stage = try NightStage()
        #expect(await stage.night().report.outcome == .ok)
        let map = try #require(stage.map)
        let path = Paths.join(stage.output, map.generation) + "/inventory.json"
        let folder = OutputFolder(stage.output)
        func damages() throws -> [MapDamage] {
            let generation = try #require(try folder.generations(of: "downtown").list().last)
            var verifier = MapVerifier(folder)
            return verifier.verify(generation).damages
        }
        #expect(try damages().isEmpty)
        // The kinds that are walked, each with a count that is not true.
        let honest = try Files.read(path)
        for (job, key) in [
            (NightStage.replica, "0 Hydrant"), (NightStage.tiles, "level 14"), (NightStage.vectorTiles, "level 14"),
        ] {
            let part = try #require(map.parts.first { $0.job == job })
            let count = try #require(part.counts[key], "\(part.counts)")
            var inventory = try JSON.parse(honest)
            let sources = inventory["sources"]?.array ?? []
            inventory["sources"] = .array(
                sources.map { source in
                    var source = source
                    if source["job"]?.string == job { source["counts"]?[key] = JSON(count + 1) }
                    return source
                })
            try Files.writeAtomically(Array(inventory.serialized().utf8), to: path)
            #expect(try damages() == [MapDamage(part.path, .package("\(key): \(count) of \(count + 1)"))])
        }
    }
}
