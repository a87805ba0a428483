import Basics
import Foundation
import Testing

/// Wall clocks across clock changes. Moments were worked out by hand and with `TZ=… date -d`; fixed zones.
@Suite struct LocalTimeTests {
    private static let berlin = TimeZone(identifier: "Europe/Berlin")!

    private static func utc(_ text: String) -> Date { try! Date(text + "Z", strategy: .iso8601) }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var clock: String
        var now: String
        var next: String
        var zone = "Europe/Berlin"
    }

    static let cases = [
        Case(testDescription: "later today", clock: "05:30", now: "2026-01-10T01:00:00", next: "2026-01-10T04:30:00"),
        Case(testDescription: "tomorrow", clock: "05:30", now: "2026-01-10T05:00:00", next: "2026-01-11T04:30:00"),
        Case(testDescription: "exactly now is over", clock: "05:30", now: "2026-01-10T04:30:00", next: "2026-01-11T04:30:00"),
        Case(
            testDescription: "over the change in spring, one hour less", clock: "05:30", now: "2026-03-28T22:00:00",
            next: "2026-03-29T03:30:00"),
        Case(
            testDescription: "an hour that does not come: when the clock jumps", clock: "02:30", now: "2026-03-29T00:00:00",
            next: "2026-03-29T01:00:00"),
        Case(
            testDescription: "the day after the missing hour", clock: "02:30", now: "2026-03-29T01:00:00",
            next: "2026-03-30T00:30:00"),
        Case(
            testDescription: "over the change in autumn, one hour more", clock: "05:30", now: "2026-10-24T22:00:00",
            next: "2026-10-25T04:30:00"),
        Case(
            testDescription: "an hour that comes twice: the first time", clock: "02:30", now: "2026-10-24T23:00:00",
            next: "2026-10-25T00:30:00"),
        Case(
            testDescription: "and then the second", clock: "02:30", now: "2026-10-25T00:45:00", next: "2026-10-25T01:30:00"),
        Case(
            testDescription: "UTC has no changes", clock: "02:30", now: "2026-03-29T02:31:00", next: "2026-03-30T02:30:00",
            zone: "UTC"),
        Case(
            testDescription: "half an hour at Lord Howe", clock: "02:15", now: "2026-10-03T15:00:00",
            next: "2026-10-03T15:30:00", zone: "Australia/Lord_Howe"),
        Case(
            testDescription: "at midnight in Chile the day begins at one", clock: "00:10", now: "2026-09-06T03:00:00",
            next: "2026-09-06T04:00:00", zone: "America/Santiago"),
        Case(
            testDescription: "and its half hour back, the first time", clock: "01:45", now: "2026-04-04T14:40:00",
            next: "2026-04-04T14:45:00", zone: "Australia/Lord_Howe"),
        Case(
            testDescription: "and the second", clock: "01:45", now: "2026-04-04T14:50:00", next: "2026-04-04T15:15:00",
            zone: "Australia/Lord_Howe"),
        Case(
            testDescription: "New York jumps", clock: "02:30", now: "2026-03-08T06:00:00", next: "2026-03-08T07:00:00",
            zone: "America/New_York"),
        Case(
            testDescription: "New York, an hour more", clock: "05:30", now: "2026-11-01T04:10:00",
            next: "2026-11-01T10:30:00", zone: "America/New_York"),
        Case(
            testDescription: "São Paulo jumped at midnight while it did", clock: "00:30", now: "2018-11-04T02:00:00",
            next: "2018-11-04T03:00:00", zone: "America/Sao_Paulo"),
        Case(
            testDescription: "and had 23:30 twice", clock: "23:30", now: "2018-02-18T01:45:00", next: "2018-02-18T02:30:00",
            zone: "America/Sao_Paulo"),
        Case(
            testDescription: "and does not today", clock: "00:30", now: "2026-11-01T02:00:00", next: "2026-11-01T03:30:00",
            zone: "America/Sao_Paulo"),
        Case(
            testDescription: "Nuuk jumps from Saturday into Sunday", clock: "23:30", now: "2026-03-29T00:30:00",
            next: "2026-03-29T01:00:00", zone: "America/Nuuk"),
        // 05:30 of the 31st; the 30th never was.
        Case(
            testDescription: "the day that Samoa left out", clock: "05:30", now: "2011-12-30T08:00:00",
            next: "2011-12-30T15:30:00", zone: "Pacific/Apia"),
    ]

    @Test(arguments: cases) func next(_ example: Case) throws {
        let zone = try #require(TimeZone(identifier: example.zone))
        let clock = try #require(LocalTime(example.clock))
        #expect(clock.next(after: Self.utc(example.now), in: zone) == Self.utc(example.next))
    }

    /// 365 nights of a timer at 02:30: every local day has one moment, and each comes after the last.
    @Test func oneMomentADay() {
        let clock = LocalTime(hour: 2, minute: 30)
        let days = (0..<365).map { LocalDay(year: 2026, month: 1, day: 1).adding(days: $0) }
        let moments = days.map { clock.moment(on: $0, in: Self.berlin) }
        #expect(moments.map { LocalDay(of: $0, in: Self.berlin) } == days)
        #expect(zip(moments, moments.dropFirst()).allSatisfy { (82_800...90_000).contains($1.timeIntervalSince($0)) })
        #expect(
            days.map { clock.moments(on: $0, in: Self.berlin).count }.reduce(into: [:]) { $0[$1, default: 0] += 1 } == [
                1: 363, 0: 1, 2: 1,
            ])
    }

    @Test func daysOfTheClockChanges() {
        // The night of 25 October is an hour longer: 02:30 comes at 00:30 and at 01:30 UTC.
        let day = LocalDay(year: 2026, month: 10, day: 25)
        #expect(
            LocalTime(hour: 2, minute: 30).moments(on: day, in: Self.berlin)
                == [Self.utc("2026-10-25T00:30:00"), Self.utc("2026-10-25T01:30:00")])
        #expect(LocalDay(of: Self.utc("2026-10-24T21:59:59"), in: Self.berlin) == LocalDay(year: 2026, month: 10, day: 24))
        #expect(LocalDay(of: Self.utc("2026-10-24T22:00:00"), in: Self.berlin) == day)
        #expect(LocalDay(of: Self.utc("2026-10-25T22:59:59"), in: Self.berlin) == day)
        #expect(LocalDay(of: Self.utc("2026-10-25T23:00:00"), in: Self.berlin) == day.adding(days: 1))
    }

    @Test(arguments: [
        ("2026-02-28", 1, "2026-03-01"), ("2028-02-28", 1, "2028-02-29"), ("2026-12-31", 1, "2027-01-01"),
        ("2026-03-01", -1, "2026-02-28"), ("2000-02-29", 366, "2001-03-01"), ("1969-12-31", 1, "1970-01-01"),
    ]) func calendar(_ from: String, _ days: Int, _ to: String) {
        func day(_ text: String) -> LocalDay {
            let parts = text.split(separator: "-").map { Int($0)! }
            return LocalDay(year: parts[0], month: parts[1], day: parts[2])
        }
        #expect(day(from).adding(days: days) == day(to))
        #expect(day(from).exists)
    }

    @Test func daysThatDoNotExist() {
        #expect(!LocalDay(year: 2026, month: 2, day: 29).exists)
        #expect(!LocalDay(year: 2026, month: 13, day: 1).exists)
        #expect(!LocalDay(year: 2026, month: 4, day: 31).exists)
    }

    @Test(arguments: ["24:00", "5", "05:60", "5:3", "05:30:61", "05:30 ", "-1:30", "٠٥:30", ""])
    func noTimes(_ text: String) { #expect(LocalTime(text) == nil) }

    @Test func times() {
        #expect(LocalTime("5:30") == LocalTime(hour: 5, minute: 30))
        #expect(LocalTime("05:30:15")?.text == "05:30:15")
        #expect(LocalTime("00:00")?.text == "00:00")
    }
}
