import Foundation

/// A day of a calendar on the wall, without a zone.
public struct LocalDay: Sendable, Hashable, Comparable {
    public var year: Int
    public var month: Int
    public var day: Int

    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day on which a moment falls in a zone.
    public init(of moment: Date, in zone: TimeZone) {
        self.init(
            dayNumber: (Int(moment.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: moment)).flooredBy(86400))
    }

    public static func < (one: LocalDay, other: LocalDay) -> Bool { one.dayNumber < other.dayNumber }

    public func adding(days: Int) -> LocalDay { LocalDay(dayNumber: dayNumber + days) }

    /// A day that the calendar has: no 30 February.
    public var exists: Bool { (1...12).contains(month) && day >= 1 && LocalDay(dayNumber: dayNumber) == self }

    /// Days since 1 January 1970 in the Gregorian calendar; years are counted from March, so that a leap day ends its year.
    private var dayNumber: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.flooredBy(400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    init(dayNumber: Int) {
        let shifted = dayNumber + 719_468
        let era = shifted.flooredBy(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var secondsAsUTC: Int { dayNumber * 86400 }
}

/// A time on the wall clock, to the minute or second, and when it is. Pure: the zone is given.
public struct LocalTime: Sendable, Hashable {
    public var hour: Int
    public var minute: Int
    public var second: Int

    public init(hour: Int, minute: Int, second: Int = 0) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// `05:30`, `5:30` or `05:30:00`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { (1...2).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }
        guard (2...3).contains(parts.count), numbers.count == parts.count, parts[1].count == 2, numbers[0] < 24,
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        self.init(hour: numbers[0], minute: numbers[1], second: numbers.count > 2 ? numbers[2] : 0)
    }

    public var text: String {
        let clock = String(format: "%02d:%02d", hour, minute)
        return second == 0 ? clock : clock + String(format: ":%02d", second)
    }

    /// The moments of a day at which the clock shows this: none in the hour that is skipped in spring, two in the one that comes
    /// twice in autumn.
    public func moments(on day: LocalDay, in zone: TimeZone) -> [Date] {
        let shown = secondsAsUTC(on: day)
        let offsets = Set([shown - 86400, shown + 86400].map { Self.offset($0, zone) })
        return offsets.map { shown - $0 }.filter { Self.offset($0, zone) == shown - $0 }.sorted()
            .map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// The first moment of a day at which the clock shows this or has jumped over it.
    public func moment(on day: LocalDay, in zone: TimeZone) -> Date {
        if let first = moments(on: day, in: zone).first { return first }
        let shown = secondsAsUTC(on: day)
        var (before, after) = (shown - 86400, shown + 86400)
        let new = Self.offset(after, zone)
        while after - before > 1 {
            let middle = (before + after) / 2
            if Self.offset(middle, zone) == new { after = middle } else { before = middle }
        }
        return Date(timeIntervalSince1970: Double(after))
    }

    /// The next moment after `time` at which the clock shows this, today or tomorrow.
    public func next(after time: Date, in zone: TimeZone) -> Date {
        let today = LocalDay(of: time, in: zone)
        let noon = LocalTime(hour: 12, minute: 0)
        let candidates = (0...3).flatMap { days -> [Date] in
            let day = today.adding(days: days)
            let moments = moments(on: day, in: zone)
            // A day that a country has left out, such as Samoa's 30 December 2011, has no noon either.
            if moments.isEmpty, noon.moments(on: day, in: zone).isEmpty { return [] }
            return moments.isEmpty ? [moment(on: day, in: zone)] : moments
        }
        // Four days hold at least one later moment.
        return candidates.first { $0 > time } ?? time.addingTimeInterval(86400)
    }

    private func secondsAsUTC(on day: LocalDay) -> Int { day.secondsAsUTC + hour * 3600 + minute * 60 + second }

    private static func offset(_ seconds: Int, _ zone: TimeZone) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }
}

extension Int {
    /// Divided towards negative infinity.
    func flooredBy(_ divisor: Int) -> Int {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
