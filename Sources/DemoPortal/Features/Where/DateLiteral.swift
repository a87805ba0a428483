/// `2024-05-01`, `2024-05-01 13:00:00`, `2024-05-01T13:00:00.250Z`; UTC.
enum DateLiteral {
    static func milliseconds(_ text: String) -> Int64? {
        let halves = text.trimmed.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "T" })
        guard let date = halves.first else { return nil }
        let parts = date.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]) else { return nil }
        var milliseconds = days(parts[0], parts[1], parts[2]) * 86_400_000
        if halves.count == 2 {
            var clock = String(halves[1])
            if clock.hasSuffix("Z") { clock.removeLast() }
            let fields = clock.split(separator: ":")
            guard fields.count >= 2, fields.count <= 3, let hours = Int64(fields[0]), let minutes = Int64(fields[1]) else {
                return nil
            }
            let seconds = fields.count == 3 ? Double(fields[2]) : 0
            guard let seconds, (0..<24).contains(hours), (0..<60).contains(minutes), (0..<61).contains(seconds) else {
                return nil
            }
            milliseconds += (hours * 60 + minutes) * 60_000 + Int64((seconds * 1000).rounded())
        }
        return milliseconds
    }

    /// Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant's algorithm).
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
