import Basics
import Foundation
import Glibc
import TestSupport
import Testing

/// The reader of the fault tests notices whatever is not whole. The maps are made by hand.
@Suite struct MapReaderTests {
    private let folder: TemporaryFolder
    private let area: String
    private let tiles = Array("a package of tiles".utf8)

    init() throws {
        folder = try TemporaryFolder()
        area = folder.file("downtown")
        try publish("20261130T020000Z")
    }

    /// `sha256sum` and `wc -c` of the text say the numbers.
    private func publish(_ name: String) throws {
        let map = "\(area)/generations/\(name)"
        try Files.makeDirectory(map + "/p13")
        try Files.writeAtomically(tiles, to: map + "/p13/town.tpkx")
        let inventory = """
            {"files": [{"path": "p13/town.tpkx", "bytes": 18,
              "sha256": "e1b16406f60c4f7c28b6106c775963fbaa6bc2a42863554702d3bb2782cd02e5"}]}
            """
        try Files.writeAtomically(Array(inventory.utf8), to: map + "/inventory.json")
        try Files.remove(area + "/current.new")
        #expect(symlink("generations/" + name, area + "/current.new") == 0)
        try Files.rename(area + "/current.new", to: area + "/current")
    }

    private var map: String { area + "/current" }

    private func reader(areas: [String], keep: Int = 2) async throws -> MapReader.Finding {
        try await MapReader(areas: areas, keep: keep).end()
    }

    @Test func `A whole map gives no cause for complaint`() async throws {
        let finding = try await reader(areas: [area])
        #expect(finding.complaints.isEmpty && finding.looks >= 1 && finding.maps == 1)
    }

    @Test func `An area that was never published gives none either, and no look`() async throws {
        let finding = try await reader(areas: [folder.file("nowhere")])
        #expect(finding == MapReader.Finding(complaints: [], looks: 0, maps: 0))
    }

    enum Damage: String, CaseIterable, Sendable {
        case missing, short, changed, foreign, noInventory, emptyInventory, halfInventory, notAFile

        var words: String {
            switch self {
            case .missing: "p13/town.tpkx is missing"
            case .short: "p13/town.tpkx has 17 of 18 bytes"
            case .changed: "p13/town.tpkx holds other bytes than the inventory says"
            case .foreign: "p13/other.tpkx is in no inventory"
            case .noInventory: "FileNotFoundError"
            case .emptyInventory: "the inventory lists no files"
            case .halfInventory: "JSONDecodeError"
            case .notAFile: "p13/town.tpkx is no file"
            }
        }
    }

    @Test(arguments: Damage.allCases) func `An incomplete map is complained about`(damage: Damage) async throws {
        let file = map + "/p13/town.tpkx"
        switch damage {
        case .missing: try Files.remove(file)
        case .short: try Files.truncate(file, to: 17)
        case .changed: try Files.writeAtomically(Array("A package of tiles".utf8), to: file)
        case .foreign: try Files.writeAtomically([1], to: map + "/p13/other.tpkx")
        case .noInventory: try Files.remove(map + "/inventory.json")
        case .emptyInventory: try Files.writeAtomically(Array(#"{"files": []}"#.utf8), to: map + "/inventory.json")
        case .halfInventory: try Files.truncate(map + "/inventory.json", to: 20)
        case .notAFile:
            try Files.rename(file, to: folder.file("elsewhere"))
            #expect(symlink(folder.file("elsewhere"), file) == 0)
        }
        let finding = try await reader(areas: [area])
        #expect(finding.complaints.contains { $0.contains(damage.words) }, "\(finding)")
    }

    /// The first look is at a whole map; the last, after the damage, is not.
    @Test func `A map that goes away is missed`() async throws {
        for damage in [area + "/current", "\(area)/generations/20261130T020000Z"] {
            try publish("20261130T020000Z")
            let reader = try await MapReader(areas: [area])
            try Files.remove(damage)
            let finding = try await reader.end()
            #expect(finding.complaints.contains { $0.contains("current leads nowhere") }, "\(finding)")
        }
    }

    @Test func `Only maps that are kept are missed`() async throws {
        try Files.remove(map + "/p13/town.tpkx")
        let damaged = try FileManager.default.destinationOfSymbolicLink(atPath: map)
        // Somebody may still be reading the oldest; two newer ones are there.
        for name in ["20261201T020000Z", "20261202T020000Z"] { try publish(name) }
        try Files.remove(map)
        #expect(symlink(damaged, map) == 0)
        #expect(try await reader(areas: [area], keep: 2).complaints.isEmpty)
        #expect(try await !reader(areas: [area], keep: 3).complaints.isEmpty)
    }
}
