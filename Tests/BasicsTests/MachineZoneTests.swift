import Foundation
import Testing

@testable import Basics

/// The machine's zone is found by what its clocks show, whatever it is called.
@Suite struct MachineZoneTests {
    private static let now = 1_796_004_000  // 2026-11-30 02:00:00 UTC

    private func find(_ zone: TimeZone, names: [String]) -> TimeZone {
        MachineZone(names: names) { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }.zone(around: Self.now)
    }

    /// /etc/localtime as a copy has no name: Foundation took London for GMT, Sydney too, and New York for EST.
    @Test(arguments: [
        ("Europe/London", "GMT"), ("America/New_York", "EST"), ("Australia/Lord_Howe", "GMT"), ("Asia/Kathmandu", "GMT"),
        ("America/Santiago", "UTC"), ("America/Nuuk", "Nowhere/None"),
    ]) func clocksDecide(identifier: String, wrong: String) throws {
        let zone = try #require(TimeZone(identifier: identifier))
        let found = find(zone, names: [wrong])
        for hour in stride(from: 0, to: 2 * 365 * 24, by: 5) {
            let moment = Date(timeIntervalSince1970: Double(Self.now + hour * 3600))
            #expect(found.secondsFromGMT(for: moment) == zone.secondsFromGMT(for: moment), "\(found.identifier) at \(moment)")
        }
    }

    @Test func aNameThatFitsIsTaken() throws {
        let oslo = try #require(TimeZone(identifier: "Europe/Oslo"))
        #expect(find(oslo, names: ["GMT", "Europe/Berlin"]).identifier == "Europe/Berlin")
    }

    @Test func clocksThatNobodyHasAreTakenAsTheyAre() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 7 * 3600 + 17 * 60))
        #expect(find(zone, names: ["UTC"]).secondsFromGMT() == 26_220)
    }

    @Test(
        arguments: [
            ("Europe/Berlin", "Europe/Berlin"), (":Europe/Berlin", "Europe/Berlin"),
            (":/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
            ("../usr/share/zoneinfo/posix/Asia/Tokyo", "Asia/Tokyo"), ("", nil), (":", nil), ("CET-1CEST", "CET-1CEST"),
        ] as [(String, String?)]) func names(_ text: String, _ name: String?)
    {
        #expect(MachineZone.name(text) == name)
    }
}
