import Basics
import Foundation
import Testing

/// Expected values are of `date -u -d @…`.
@Suite struct ISOTimeTests {
    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00Z"), (1_796_051_045, "2026-11-30T15:04:05Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"), (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
    ])
    func bothWays(_ seconds: Double, _ text: String) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(ISOTime.text(date) == text)
        #expect(ISOTime.date(text) == date)
        let compact = text.filter { $0 != "-" && $0 != ":" }
        #expect(ISOTime.compact(date) == compact)
        #expect(ISOTime.date(compact: compact.utf8[...]) == date)
    }

    @Test func milliseconds() {
        let date = Date(timeIntervalSince1970: -0.25)
        #expect(ISOTime.text(date, milliseconds: true) == "1969-12-31T23:59:59.750Z")
        #expect(ISOTime.text(date) == "1969-12-31T23:59:59Z")
        #expect(ISOTime.date("1969-12-31T23:59:59.750Z") == date)
    }

    @Test(arguments: [
        "", "2026-11-30", "2026-11-30T15:04:05", "2026-11-30 15:04:05Z", "2026-02-30T00:00:00Z", "2026-11-30T24:00:00Z",
        "2026-11-30T15:60:00Z", "2026-11-30T15:04:05Zx", "2026-11-30T15:04:05+01:00", "20261130T150405Z", "2026-1a-30T15:04:05Z",
    ])
    func refuses(_ text: String) { #expect(ISOTime.date(text) == nil) }
}
