import Basics
import Foundation
import Planning
import TestSupport
import Testing

@testable import Packaging

@Suite struct GenerationRemovalTests {
    private let root: TemporaryFolder
    private let generations: Generations

    init() throws {
        root = try TemporaryFolder()
        generations = Generations(output: root.path, area: "north")
    }

    private static func name(_ day: Int) -> String { "2026010\(day)T000000Z" }
    private func path(_ day: Int, _ file: String = "") -> String { root.file("north/generations/\(Self.name(day))\(file)") }
    private var now: Date { Date(timeIntervalSince1970: 1_767_830_400) }

    /// A published map of two files.
    private func publish(_ day: Int) throws {
        let stage = try generations.stage(Self.name(day))
        try Files.makeDirectory(stage + "/p13/style")
        for file in ["p13/map", "p13/style/root.json"] { try Files.writeAtomically(Array("\(day)".utf8), to: "\(stage)/\(file)") }
        let files = ["p13/map", "p13/style/root.json"].map { path -> JSON in
            ["path": .string(path), "sha256": .string(SHA256.hex(of: "\(day)")), "bytes": 1]
        }
        let inventory: JSON = ["area": "north", "files": .array(files), "sources": []]
        try Files.writeAtomically(Array(inventory.serialized().utf8), to: stage + "/inventory.json")
        _ = try generations.publish(Self.name(day))
    }

    private func prune(_ keep: Retention) throws -> [GenerationRemoval.Removed] {
        try GenerationRemoval(generations).prune(keep, now: now)
    }

    @Test func keepsTheNewestAndWhatIsNotOurs() throws {
        try Files.makeDirectory(root.file("north/generations/my notes"))
        // The name of a map, and somebody else's folder.
        try Files.makeDirectory(path(1))
        try Files.writeAtomically(Array("mine".utf8), to: path(1, "/thesis.txt"))
        for day in 2...5 { try publish(day) }
        let removed = try prune(2)
        #expect(removed.map(\.generation.name) == [Self.name(2), Self.name(3)])
        #expect(removed.allSatisfy { !$0.hasForeignFiles })
        #expect(try Files.list(root.file("north/generations")) == [Self.name(1), Self.name(4), Self.name(5), "my notes"])
        #expect(try Files.read(path(1, "/thesis.txt")) == Array("mine".utf8))
        #expect(generations.current == Self.name(5))
    }

    /// `now` is 2026-01-08: the maps are one and two days old.
    @Test(arguments: [
        (Retention(), false), (Retention(count: 2), false), (Retention(count: 1), true),
        (Retention(ageSeconds: 2 * 86_400), false),
        (Retention(ageSeconds: 2 * 86_400 - 1), true), (Retention(count: 2, ageSeconds: 86_400), true),
    ])
    func namesTellWhetherThereIsSomethingToDo(_ keep: Retention, _ isDue: Bool) throws {
        let removal = GenerationRemoval(generations)
        #expect(try !removal.isDue(keep, now: now))
        for day in 6...7 { try publish(day) }
        #expect(try removal.isDue(keep, now: now) == isDue)
        try Files.makeDirectory(root.file("north/generations/.\(Self.name(5)).removing"))
        #expect(try removal.isDue(keep, now: now))
    }

    @Test func filesOfUsersInAMapStay() throws {
        for day in 1...2 { try publish(day) }
        try Files.writeAtomically(Array("mine".utf8), to: path(1, "/p13/notes.txt"))
        #expect(try prune(1).map(\.hasForeignFiles) == [true])
        #expect(try Files.read(path(1, "/p13/notes.txt")) == Array("mine".utf8))
        #expect(try Files.list(path(1)) == ["p13"])
        #expect(try Files.list(path(1, "/p13")) == ["notes.txt"])
        // It is nobody's map any more.
        let left = try #require(try generations.list().first)
        #expect(!left.isOurs)
        #expect(try prune(1).isEmpty)
        #expect(Files.exists(path(1, "/p13/notes.txt")))
    }

    @Test func linksAreNotFollowed() throws {
        for day in 1...2 { try publish(day) }
        let elsewhere = try TemporaryFolder()
        try Files.makeDirectory(elsewhere.file("style"))
        for file in ["map", "style/root.json"] { try Files.writeAtomically(Array("mine".utf8), to: elsewhere.file(file)) }
        // A whole folder of the map is somewhere else.
        try Files.remove(path(1, "/p13"))
        #expect(symlink(elsewhere.path, path(1, "/p13")) == 0)
        #expect(try prune(1).map(\.hasForeignFiles) == [true])
        #expect(try Files.list(elsewhere.path) == ["map", "style"])
        #expect(try Files.read(elsewhere.file("style/root.json")) == Array("mine".utf8))
        #expect(try Files.list(path(1)) == ["p13"])
    }

    @Test func aLinkToAFolderIsNoMap() throws {
        let elsewhere = try TemporaryFolder()
        try Files.writeAtomically(Array(#"{"area": "north", "files": []}"#.utf8), to: elsewhere.file("inventory.json"))
        for day in 2...3 { try publish(day) }
        #expect(symlink(elsewhere.path, path(1)) == 0)
        _ = try prune(1)
        #expect(Files.exists(elsewhere.file("inventory.json")))
        #expect(try Files.list(root.file("north/generations")) == [Self.name(1), Self.name(3)])
    }

    @Test(arguments: ["../../../outside", "/etc/x", "p13/../../x", "", "p13//map", "../\u{301}x"])
    func anInventoryCannotLeadOutside(_ path: String) throws {
        for day in 1...2 { try publish(day) }
        try Files.writeAtomically(Array("mine".utf8), to: root.file("outside"))
        let inventory: JSON = ["area": "north", "files": [["path": .string(path), "sha256": "", "bytes": 4]]]
        try Files.writeAtomically(Array(inventory.serialized().utf8), to: self.path(1, "/inventory.json"))
        #expect(try prune(1).isEmpty)
        #expect(Files.exists(root.file("outside")))
        #expect(try generations.list().map(\.isOurs) == [false, true])
    }

    /// Wherever the process died, the next removal finishes, and the user's file is still there.
    @Test(arguments: 0...5) func anInterruptedRemovalIsFinished(_ steps: Int) throws {
        for day in 1...2 { try publish(day) }
        let doomed = root.file("north/generations/.\(Self.name(1)).removing")
        try Files.rename(path(1), to: doomed)
        let order = ["p13/map", "p13/style/root.json", "p13/style", "p13", "inventory.json"]
        for file in order.prefix(steps) { try Files.remove("\(doomed)/\(file)") }
        if steps == 2 { try Files.writeAtomically(Array("mine".utf8), to: doomed + "/notes.txt") }
        _ = try prune(1)
        #expect(!Files.exists(doomed))
        #expect(Files.exists(path(1, "/notes.txt")) == (steps == 2))
        #expect(Files.exists(path(1)) == (steps == 2))
    }

    @Test func aMapThatLacksAFileIsDamaged() throws {
        try publish(1)
        #expect(try generations.list().map(\.condition) == [.whole])
        try Files.remove(path(1, "/p13/map"))
        #expect(try generations.list().map(\.condition) == [.damaged(["p13/map"])])
        try Files.writeAtomically(Array("longer".utf8), to: path(1, "/p13/map"))
        #expect(try generations.list().map(\.condition) == [.damaged(["p13/map"])])
        try Files.remove(path(1, "/inventory.json"))
        #expect(try generations.list().map(\.isOurs) == [false])
    }
}
