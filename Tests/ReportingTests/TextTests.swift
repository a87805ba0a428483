import Basics
import Foundation
import Testing

@testable import Reporting

@Suite struct TextTests {
    @Test("Numbers read as people write them")
    func quantities() {
        #expect(Quantity.count(0) == "0")
        #expect(Quantity.count(1_234_567) == "1,234,567")
        #expect(Quantity.count(-1005) == "-1,005")
        #expect(Quantity.count(1, "job") == "1 job")
        #expect(Quantity.count(2, "area") == "2 areas")
        #expect(Quantity.bytes(999) == "999 B")
        #expect(Quantity.bytes(12_345_678) == "12.3 MB")
        #expect(Quantity.bytes(999_960) == "1.0 MB")
        #expect(Quantity.duration(0.44) == "0.4 s")
        #expect(Quantity.duration(59.4) == "59 s")
        #expect(Quantity.duration(59.6) == "1 m 00 s")
        #expect(Quantity.duration(184) == "3 m 04 s")
        #expect(Quantity.duration(40 * 3600) == "40 h 00 m")
        #expect(Quantity.duration(76 * 3600) == "3 d 4 h")
    }

    @Test("Files have UTC, terminals have local time")
    func moments() throws {
        // 1,700,000,000 s is 2023-11-14 22:13:20 UTC; Chicago was on standard time, UTC-6.
        let date = Date(timeIntervalSince1970: 1_700_000_000.5)
        let chicago = try #require(TimeZone(identifier: "America/Chicago"))
        #expect(ISOTime.text(date) == "2023-11-14T22:13:20Z")
        #expect(ISOTime.text(date, milliseconds: true) == "2023-11-14T22:13:20.500Z")
        #expect(Moment.local(date, in: chicago) == "2023-11-14 16:13")
        #expect(Moment.clock(date, in: chicago) == "16:13:20")
    }

    @Test("Wide characters take two columns and marks none")
    func displayWidth() {
        #expect(DisplayWidth.columns(of: "Main") == 4)
        #expect(DisplayWidth.columns(of: "道路") == 4)
        #expect(DisplayWidth.columns(of: "Zu\u{308}rich") == 6)
        #expect("道路図".elided(to: 5) == "道路…")
        #expect("道路図".elided(to: 4) == "道…")
        #expect("Hydrant".elided(to: 7) == "Hydrant")
        #expect("level 12:\u{A0}1,204 tiles".wrapped(to: 10) == ["level", "12: 1,204", "tiles"])
        #expect("downtown/world-street-map/tiles".elidedInMiddle(to: 15) == "downtow…p/tiles")
    }

    @Test("Servers cannot move the cursor")
    func printable() {
        // Marks that turn the direction of text, too; a joiner of letters stays.
        #expect("safe\u{202E}gpj\u{202C}\u{2066}x\u{2069}\u{200F}".printable == "safegpjx")
        #expect("a\u{200D}b".printable == "a\u{200D}b")
        #expect("a\u{1B}[31mb\r\nc\td".printable == "a[31mb c d")
    }

    /// FIRST STRONG ISOLATE … POP DIRECTIONAL ISOLATE: a name of right-to-left letters keeps its order to itself.
    @Test("Words from right to left stay whole and stay apart")
    func isolated() {
        #expect("Hydrants 2".isolated == "Hydrants 2" && "Zürich 道路 Вода".isolated == "Zürich 道路 Вода")
        for name in ["מים", "Main 2 מים", "شبكة 2", "\u{10A00}", "\u{1E900}", "\u{FB50}", "\u{FE70}"] {
            #expect(name.isolated == "\u{2068}" + name + "\u{2069}")
        }
        // A mark of the name's own cannot close ours.
        #expect(Wording.foreign("א\u{2069}\u{202E}b") == "\u{2068}אb\u{2069}")
        #expect(Wording.clean("א\u{2069}b") == "אb")
        #expect(DisplayWidth.columns(of: "\u{2068}אב\u{2069}") == 2)
    }

    @Test("A last column that wraps goes on below; the others give way first")
    func wrappingTable() {
        let table = TextTable(
            columns: [.init(title: "LAYER", isFlexible: true), .init(title: "WHY", isFlexible: true, wraps: true)],
            rows: [
                ["Service Connection of the town", "The service does not allow Sync; its owner can switch it on."], ["Main", ""],
            ])
        #expect(
            table.lines(page: Page(width: 46), indent: "  ")
                == [
                    "  LAYER       WHY",
                    "  Service C…  The service does not allow Sync;",
                    "              its owner can switch it on.",
                    "  Main",
                ])
    }

    @Test("A narrow page takes from the widest flexible column")
    func narrowTable() {
        let table = TextTable(
            columns: [.init(title: "ID"), .init(title: "TITLE", isFlexible: true), .init(title: "N", alignment: .right)],
            rows: [["a", "World Street Map", "7"], ["bc", "道路", "12"]])
        #expect(
            table.lines(page: Page(width: 17))
                == [
                    "ID  TITLE       N",
                    "a   World St…   7",
                    "bc  道路       12",
                ])
        #expect(table.lines(page: Page(width: 80))[1] == "a   World Street Map   7")
    }
}
