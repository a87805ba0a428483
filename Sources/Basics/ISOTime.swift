import Foundation

/// Points in time as files have them: ISO 8601 in UTC.
public enum ISOTime {
    /// "2026-11-30T15:04:12Z", on request with milliseconds.
    public static func text(_ date: Date, milliseconds: Bool = false) -> String {
        let moment = Moment(date)
        return moment.day(mark: "-") + moment.time(mark: ":") + (milliseconds ? "." + digits(moment.millisecond, 3) : "") + "Z"
    }

    /// "20261130T150412Z": a name for files.
    public static func compact(_ date: Date) -> String { Moment(date).day(mark: "") + Moment(date).time(mark: "") + "Z" }

    /// Reads what `text` writes; nil for anything else.
    public static func date(_ text: String) -> Date? { date(text.utf8[...], dateMark: "-", timeMark: ":") }

    /// Reads what `compact` writes.
    public static func date(compact text: Substring.UTF8View) -> Date? { date(text, dateMark: nil, timeMark: nil) }

    private static func date(
        _ text: Substring.UTF8View, dateMark: Unicode.Scalar?, timeMark: Unicode.Scalar?
    ) -> Date? {
        var rest = text
        guard let year = rest.number(4), let month = rest.number(2, after: dateMark), let day = rest.number(2, after: dateMark),
            let hour = rest.number(2, after: "T"), let minute = rest.number(2, after: timeMark),
            let second = rest.number(2, after: timeMark),
            let millisecond = rest.first == UInt8(ascii: ".") ? rest.number(3, after: ".") : 0, rest.elementsEqual("Z".utf8)
        else { return nil }
        let date = LocalDay(year: year, month: month, day: day)
        // A leap second is the first of the next minute.
        guard date.exists, hour < 24, minute < 60, second <= 60 else { return nil }
        let seconds = date.secondsAsUTC + hour * 3600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(seconds) + Double(millisecond) / 1000)
    }

    private struct Moment {
        var day: LocalDay
        /// Of the day.
        var second: Int
        var millisecond: Int

        init(_ date: Date) {
            let total = Int((date.timeIntervalSince1970 * 1000).rounded(.down))
            let seconds = total.flooredBy(1000)
            day = LocalDay(dayNumber: seconds.flooredBy(86400))
            second = seconds - day.secondsAsUTC
            millisecond = total - seconds * 1000
        }

        func day(mark: String) -> String {
            [ISOTime.digits(day.year, 4), ISOTime.digits(day.month, 2), ISOTime.digits(day.day, 2)].joined(separator: mark)
        }
        func time(mark: String) -> String {
            let clock = [second / 3600, second / 60 % 60, second % 60]
            return "T" + clock.map { ISOTime.digits($0, 2) }.joined(separator: mark)
        }
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return text.utf8.count < count ? String(repeating: "0", count: count - text.utf8.count) + text : text
    }
}

extension Substring.UTF8View {
    /// Takes a mark and so many digits from the front; nil when something else stands there.
    fileprivate mutating func number(_ digits: Int, after mark: Unicode.Scalar? = nil) -> Int? {
        if let mark, popFirst() != UInt8(ascii: mark) { return nil }
        var number = 0
        for _ in 0..<digits {
            guard let byte = popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}
