import Basics
import Formats
import Geography
import Planning
import TestSupport
import Testing

@testable import Execution

/// Files of other makers as reference base maps; the numbers are those of samples/README.md.
struct BasemapFileTests {
    private static let needsSamples = "needs the recorded files: set OFFLINE_BATCH_SHARED"

    private func failure(_ path: String) async -> Failure? {
        do throws(Failure) {
            _ = try await BasemapFile.inspect(path)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        .enabled(if: SharedFiles.isAvailable, "\(needsSamples)"),
        arguments: [
            ("tpkx/Usa.tpkx", ReferenceBasemap.Content.tiles, "tpkx", 144, 0...5, ["2 of 144 tiles are damaged"], false),
            ("tpk/states_filled.tpk", .tiles, "tpk", 24, 0...4, [], false),
            ("vtpk/testvtpk.vtpk", .vectorTiles, "vtpk", 14, 0...4, [], false),
            ("mbtiles/isle_of_man.mbtiles", .tiles, "tpkx", 12, 7...9, [], true),
        ] as [(String, ReferenceBasemap.Content, String, Int, ClosedRange<Int>, [String], Bool)])
    func samples(
        file: String, content: ReferenceBasemap.Content, ending: String, tiles: Int, levels: ClosedRange<Int>, warnings: [String],
        isRepacked: Bool
    ) async throws {
        let path = SharedFiles.path("samples/" + file)
        let found = try await BasemapFile.inspect(path)
        #expect(found.content == content && found.fileExtension == ending && found.tiles == tiles && found.levels == levels)
        #expect(found.warnings == warnings && found.isRepacked == isRepacked && found.spatialReference.isWebMercator)
        #expect(try Files.size(path) == found.bytes)
        #expect(try SHA256.hex(ofFile: path) == found.sha256)

        let folder = try TemporaryFolder()
        let proof = try await BasemapFile.copy(found, to: folder.file("copy"))
        #expect(proof.fileExtension == ending && proof.counts == ["tiles": tiles])
        let isSame = try SHA256.hex(ofFile: folder.file("copy")) == found.sha256
        #expect(isSame != isRepacked)
        if isRepacked { #expect(try TilePackage.inspect(folder.file("copy")).tiles == tiles) }
    }

    @Test func whatIsNoBasemapIsRefusedWithItsReason() async throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array("<html><title>Sign in</title>".utf8), to: folder.file("page.tpkx"))
        try Files.writeAtomically(Array("x".utf8), to: folder.file("town.gpkg"))
        for (name, words) in [
            ("none.tpkx", "there is no file"), ("page.tpkx", "is not a usable .tpkx"),
            ("town.gpkg", "neither .tpkx, .tpk, .vtpk nor .mbtiles"),
        ] {
            let failure = try #require(await failure(folder.file(name)), "\(name)")
            #expect(failure.message.contains(words), "\(failure.message)")
            // Refused, whatever is done about servers.
            #expect(failure.kind == .permanent && failure.phase == .plan)
        }
    }

    @Test(.enabled(if: SharedFiles.isAvailable, "\(needsSamples)"))
    func brokenAndUnreadableKindsAreRefused() async throws {
        let folder = try TemporaryFolder()
        let whole = try Files.read(SharedFiles.path("samples/tpkx/Usa.tpkx"))
        try Files.writeAtomically(Array(whole.prefix(whole.count / 2)), to: folder.file("half.tpkx"))
        #expect(await failure(folder.file("half.tpkx"))?.message.contains("half.tpkx is not a usable .tpkx") == true)
        let vector = await failure(SharedFiles.path("samples/mbtiles/mbtiles_vt.mbtiles"))
        #expect(vector?.message.contains("holds vector tiles without a style") == true)
        // Not that kind of package, whatever its name says.
        try Files.copy(SharedFiles.path("samples/tpkx/Usa.tpkx"), to: folder.file("usa.vtpk"))
        #expect(await failure(folder.file("usa.vtpk")) != nil)
    }

    @Test(.enabled(if: SharedFiles.isAvailable, "\(needsSamples)"))
    func aFileThatHasChangedIsNotTaken() async throws {
        let folder = try TemporaryFolder()
        try Files.copy(SharedFiles.path("samples/tpk/states_filled.tpk"), to: folder.file("a.tpk"))
        let found = try await BasemapFile.inspect(folder.file("a.tpk"))
        try Files.copy(SharedFiles.path("samples/tpkx/Usa.tpkx"), to: folder.file("a.tpk"))
        do throws(Failure) {
            _ = try await BasemapFile.copy(found, to: folder.file("copy"))
            Issue.record("a changed file was copied")
        } catch {
            #expect(error.message.contains("has changed since the plan was made") && error.kind == .permanent)
        }
    }
}
