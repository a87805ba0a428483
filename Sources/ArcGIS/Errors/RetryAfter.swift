import Foundation
import Transport

/// How long a server asks to wait: the `Retry-After` header in both forms, or "try again in 60 sec" in a rate limit's text.
enum RetryAfter {
    static func duration(headers: [HTTPHeader], now: Date) -> Duration? {
        guard let value = headers["Retry-After"]?.trimmed, !value.isEmpty else { return nil }
        if let seconds = Int(value) { return seconds >= 0 ? .seconds(min(seconds, 86_400)) : nil }
        guard let date = httpDate(value) else { return nil }
        return .seconds(min(max(0, date - now.timeIntervalSince1970), 86_400))
    }

    /// Cases G12: rate limits say it in words.
    static func duration(text: String) -> Duration? {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        guard let again = words.indices.first(where: { words[$0] == "again" && words[$0...].dropFirst().first == "in" }),
            words.indices.contains(again + 2), let seconds = Int(words[again + 2])
        else { return nil }
        return (0...86_400).contains(seconds) ? .seconds(seconds) : nil
    }

    /// `Wed, 21 Oct 2015 07:28:00 GMT` (RFC 9110) as seconds since 1970.
    private static func httpDate(_ text: String) -> Double? {
        let parts = text.split { $0 == " " || $0 == "," || $0 == ":" }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 8, parts[7] == "GMT", let day = Int(parts[1]), let month = months.firstIndex(of: String(parts[2])),
            let year = Int(parts[3]), let hour = Int(parts[4]), let minute = Int(parts[5]), let second = Int(parts[6]),
            (1970...9999).contains(year), (1...31).contains(day), (0...23).contains(hour), (0...59).contains(minute),
            (0...60).contains(second)
        else { return nil }
        // Days since 1970 by shifting the year's start to March, so that the leap day comes last.
        let shiftedYear = month < 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let days = shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear - 719_468
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }
}
