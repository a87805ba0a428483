import Basics
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Packaging

@Suite struct GenerationsTests {
    @Test func namesSortByTime() {
        // 2026-11-30 15:04:05 UTC
        #expect(Generations.name(of: Date(timeIntervalSince1970: 1_796_051_045)) == "20261130T150405Z")
        #expect(Generations.isName("20261130T150405Z"))
        #expect(Generations.isName("20261130T150405Z-2"))
        #expect(!Generations.isName("notes"))
        #expect(!Generations.isName("20261130T150405Z.bak"))
    }

    @Test func currentMovesInOneStep() throws {
        let folder = try TemporaryFolder()
        let generations = Generations(output: folder.path, area: "north")
        for (number, name) in ["20260101T000000Z", "20260102T000000Z"].enumerated() {
            let stage = try generations.stage(name)
            try Files.writeAtomically(Array("\(number)".utf8), to: stage + "/content")
            #expect(try generations.publish(name) == "north/generations/\(name)")
            #expect(generations.current == name)
            #expect(try Files.read(folder.file("north/current/content")) == Array("\(number)".utf8))
        }
        #expect(try Files.list(folder.file("north/generations")) == ["20260101T000000Z", "20260102T000000Z"])
    }

    /// Somebody reads all the time while map after map is published and the oldest go.
    @Test func aReaderFindsAWholeMapEachTime() throws {
        let folder = try TemporaryFolder()
        let generations = Generations(output: folder.path, area: "north")
        @Sendable func name(_ number: Int) -> String { "20260101T000000Z-\(number)" }
        @Sendable func publish(_ number: Int) throws {
            let stage = try generations.stage(name(number))
            for part in ["a", "b"] { try Files.writeAtomically(Array("\(number)".utf8), to: "\(stage)/\(part)") }
            _ = try generations.publish(name(number))
        }
        try publish(1)
        let isDone = Atomic(false)
        let looks = Atomic(0)
        let wrong = Atomic(0)
        let published = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 2) { role in
            if role == 0 {
                // Of three maps that are kept nobody can be reading the oldest for long.
                for number in 2...200 where (try? publish(number)) != nil {
                    if number > 100 { try? Files.remove(folder.file("north/generations/" + name(number - 100))) }
                    published.add(1, ordering: .relaxed)
                }
                isDone.store(true, ordering: .releasing)
            } else {
                repeat {
                    let map = try? FileManager.default.destinationOfSymbolicLink(atPath: folder.file("north/current"))
                    let parts = ["a", "b"].map { try? Files.read(folder.file("north/\(map ?? "-")/\($0)")) }
                    if parts[0] == nil || parts[0] != parts[1] { wrong.add(1, ordering: .relaxed) }
                    if (try? Files.read(folder.file("north/current/a"))) == nil { wrong.add(1, ordering: .relaxed) }
                    looks.add(1, ordering: .relaxed)
                } while !isDone.load(ordering: .acquiring)
            }
        }
        #expect(published.load(ordering: .relaxed) == 199)
        #expect(looks.load(ordering: .relaxed) > 199 && wrong.load(ordering: .relaxed) == 0)
    }

    /// Killed between the new link and its rename.
    @Test func aLinkThatWasLeftIsReplaced() throws {
        let folder = try TemporaryFolder()
        let generations = Generations(output: folder.path, area: "north")
        _ = try generations.stage("20260101T000000Z")
        #expect(symlink("generations/20250101T000000Z", folder.file("north/.current.next")) == 0)
        _ = try generations.publish("20260101T000000Z")
        #expect(try Files.list(folder.file("north")) == ["current", "generations"])
        #expect(generations.current == "20260101T000000Z")
    }

    /// As `cp -rL` leaves it, or somebody who needed the name: not ours, so not touched.
    @Test(arguments: [true, false]) func whatStandsInThePlaceOfTheLinkStays(isFolder: Bool) throws {
        let folder = try TemporaryFolder()
        let generations = Generations(output: folder.path, area: "north")
        _ = try generations.stage("20260101T000000Z")
        let place = folder.file("north/current")
        if isFolder { try Files.makeDirectory(place) } else { try Files.writeAtomically(Array("mine".utf8), to: place) }
        let error = #expect(throws: SystemError.self) { try generations.publish("20260101T000000Z") }
        #expect(error?.code == EEXIST && error?.path == place)
        #expect(Files.isDirectory(place) == isFolder)
        if !isFolder { #expect(try Files.read(place) == Array("mine".utf8)) }
    }

    @Test func aCrashedStageIsCleanedByTheNext() throws {
        let folder = try TemporaryFolder()
        let generations = Generations(output: folder.path, area: "north")
        _ = try generations.stage("20260101T000000Z")
        _ = try generations.stage("20260102T000000Z")
        #expect(try Files.list(folder.file("north/generations")) == [".20260102T000000Z.partial"])
        #expect(generations.current == nil)
    }

    @Test func aHiddenFileOfAUserIsNoStage() throws {
        let folder = try TemporaryFolder()
        let generations = Generations(output: folder.path, area: "north")
        try Files.makeDirectory(folder.file("north/generations"))
        try Files.writeAtomically(Array("mine".utf8), to: folder.file("north/generations/.upload.partial"))
        _ = try generations.stage("20260101T000000Z")
        #expect(try Files.list(folder.file("north/generations")) == [".20260101T000000Z.partial", ".upload.partial"])
    }

    @Test func namesTellTheirTime() {
        #expect(Generations.time(of: "20261130T150405Z") == Date(timeIntervalSince1970: 1_796_051_045))
        #expect(Generations.time(of: "20261130T150405Z-2") == Date(timeIntervalSince1970: 1_796_051_045))
        #expect(Generations.time(of: "notes") == nil)
    }
}
