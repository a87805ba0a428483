import Foundation
import Planning
import Testing

@Suite struct RetentionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var keep: Retention
        /// Days since the first of January, oldest first; `*` is current, `!` damaged, `?` not known as ours, `/` lacks a layer.
        var maps: String
        /// Those that go.
        var goes: String
        var now = 40
    }

    static let cases = [
        Case(testDescription: "as many as allowed", keep: 3, maps: "1 2 3*", goes: ""),
        Case(testDescription: "one too many", keep: 3, maps: "1 2 3 4*", goes: "1"),
        Case(testDescription: "only the current one", keep: 1, maps: "1 2 3*", goes: "1 2"),
        Case(testDescription: "nothing is current, so nothing newer stands in", keep: 1, maps: "1 2 3", goes: ""),
        Case(testDescription: "rolled back: what is newer waits", keep: 1, maps: "1 2 3* 4 5", goes: "1 2"),
        Case(testDescription: "rolled back to the oldest", keep: 1, maps: "1* 2 3", goes: ""),
        Case(testDescription: "damaged maps take no place", keep: 2, maps: "1 2! 3*", goes: ""),
        Case(testDescription: "damaged maps go in their turn", keep: 2, maps: "1! 2 3*", goes: "1"),
        Case(testDescription: "what is not ours stays and takes no place", keep: 2, maps: "1? 2 3? 4*", goes: ""),
        Case(testDescription: "a damaged current one stays", keep: 1, maps: "1 2!*", goes: ""),
        Case(
            testDescription: "age takes old ones, not the one before the current", keep: Retention(ageSeconds: 10 * 86400),
            maps: "1 2 3 40*", goes: "1 2"),
        Case(testDescription: "young ones stay", keep: Retention(ageSeconds: 10 * 86400), maps: "31 32 33 40*", goes: ""),
        Case(
            testDescription: "exactly as old as allowed", keep: Retention(ageSeconds: 10 * 86400), maps: "29 30 35 40*",
            goes: "29"),
        Case(testDescription: "age of everything, current too", keep: Retention(ageSeconds: 86400), maps: "1 2 3*", goes: "1"),
        Case(
            testDescription: "either limit", keep: Retention(count: 3, ageSeconds: 10 * 86400), maps: "1 35 36 37 40*",
            goes: "1 35"),
        Case(testDescription: "the last complete one stays beyond the count", keep: 3, maps: "1 2/ 3/ 4/ 5/*", goes: "2"),
        Case(testDescription: "only the newest complete one", keep: 2, maps: "1 2 3/ 4/ 5/*", goes: "1 3"),
        Case(testDescription: "a complete current one is the last", keep: 1, maps: "1 2/ 3*", goes: "1 2"),
        Case(testDescription: "a damaged one is none to rely on", keep: 1, maps: "1 2! 3/ 4/*", goes: "2 3"),
        Case(testDescription: "nor is one that was rolled back", keep: 1, maps: "1 2/* 3", goes: ""),
        Case(testDescription: "nothing complete was ever there", keep: 1, maps: "1/ 2/ 3/*", goes: "1 2"),
        Case(
            testDescription: "the last complete one stays at any age", keep: Retention(ageSeconds: 10 * 86400),
            maps: "1 2/ 3/ 40/*", goes: "2"),
        Case(testDescription: "no limit at all", keep: Retention(), maps: "1 2 3*", goes: ""),
        Case(testDescription: "no map", keep: 1, maps: "", goes: ""),
    ]

    @Test(arguments: cases) func decides(_ example: Case) {
        func time(_ day: Int) -> Date { Date(timeIntervalSince1970: 1_767_225_600 + Double(day) * 86400) }
        let maps = example.maps.split(separator: " ").map { word -> Generation in
            let day = Int(word.filter(\.isNumber))!
            let condition: Generation.Condition =
                word.contains("!") ? .damaged(["p13/a"]) : word.contains("?") ? .unknown("no inventory") : .whole
            return Generation(
                area: "a", name: "2026\(String(1000 + day))T000000Z", time: time(day), isCurrent: word.contains("*"),
                condition: condition, bytes: 1, missingLayers: word.contains("/") ? ["Hydrant"] : [])
        }
        let verdicts = example.keep.decide(maps, now: time(example.now))
        let goes = zip(maps, verdicts).filter { if case .goes = $1 { true } else { false } }.map {
            String(Int($0.0.name.dropFirst(5).prefix(3))!)
        }
        #expect(goes.joined(separator: " ") == example.goes)
        for (map, verdict) in zip(maps, verdicts) where map.isCurrent { #expect(verdict == .stays(.current)) }
    }

    @Test func theLastCompleteMapSaysWhyItStays() {
        func map(_ day: Int, _ missing: [String], isCurrent: Bool = false) -> Generation {
            Generation(
                area: "a", name: "2026010\(day)T000000Z", time: Date(timeIntervalSince1970: Double(day) * 86400),
                isCurrent: isCurrent, condition: .whole, bytes: 1, missingLayers: missing)
        }
        let maps = [map(1, []), map(2, ["Main"]), map(3, ["Main"], isCurrent: true)]
        #expect(
            Retention(count: 1).decide(maps, now: Date()) == [.stays(.lastComplete), .goes(.beyondCount(1)), .stays(.current)])
        // Within the limits it needs no favour.
        #expect(Retention(count: 3).decide(maps, now: Date())[0] == .stays(.withinLimits))
    }
}
