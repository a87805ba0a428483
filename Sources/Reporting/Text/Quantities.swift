import Basics
import Foundation
import Glibc
import Planning

/// Numbers as people read them.
enum Quantity {
    /// `1234567` → "1,234,567".
    static func count(_ number: Int) -> String {
        var groups: [String] = []
        var rest = number.magnitude
        while rest >= 1000 {
            let group = String(rest % 1000)
            groups.insert(String(repeating: "0", count: 3 - group.count) + group, at: 0)
            rest /= 1000
        }
        return (number < 0 ? "-" : "") + ([String(rest)] + groups).joined(separator: ",")
    }

    /// "1 job", "2 jobs".
    static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    /// Decimal units: "999 B", "12.3 MB".
    static func bytes(_ number: Int) -> String { number.bytesText }

    /// "≈ 12.3 MB (9.1–16.2 MB, 24 tiles sampled)"
    static func bytes(_ estimate: ByteEstimate) -> String {
        if estimate.sample == .service { return "≈ \(bytes(estimate.likely)) (estimated by its service)" }
        let (low, high) = (bytes(estimate.low).split(separator: " "), bytes(estimate.high))
        let from = high.hasSuffix(" " + low[1]) ? String(low[0]) : low.joined(separator: " ")
        let sample = estimate.sampled == 1 ? String(estimate.sample.rawValue.dropLast()) : estimate.sample.rawValue
        return "≈ \(bytes(estimate.likely)) (\(from)–\(high), \(count(estimate.sampled)) \(sample) sampled)"
    }

    /// "0.4 s", "12 s", "3 m 04 s", "2 h 05 m", "3 d 4 h".
    static func duration(_ seconds: Double) -> String {
        if seconds < 9.95 { return tenths(max(0, seconds)) + " s" }
        let whole = Int(seconds.rounded())
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) m \(twoDigits(whole % 60)) s"
        case ..<(48 * 3600): return "\(whole / 3600) h \(twoDigits(whole % 3600 / 60)) m"
        default: return "\(whole / 86400) d \(whole % 86400 / 3600) h"
        }
    }

    private static func tenths(_ value: Double) -> String {
        let scaled = Int((value * 10).rounded())
        return "\(scaled / 10).\(scaled % 10)"
    }

    static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Points in time for people: local (design chapter 7). For files there is `ISOTime`.
enum Moment {
    /// "2026-11-30 16:04".
    static func local(_ date: Date, in zone: TimeZone) -> String {
        let fields = fields(date, offset: zone.secondsFromGMT(for: date))
        return "\(day(fields)) \(time(fields).prefix(5))"
    }

    /// "16:04:12".
    static func clock(_ date: Date, in zone: TimeZone) -> String {
        time(fields(date, offset: zone.secondsFromGMT(for: date)))
    }

    static func fields(_ date: Date, offset: Int) -> tm {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down)) + offset
        var fields = tm()
        gmtime_r(&seconds, &fields)
        return fields
    }

    private static func day(_ fields: tm) -> String {
        let numbers = [Int(fields.tm_mon) + 1, Int(fields.tm_mday)]
        return "\(Int(fields.tm_year) + 1900)-" + numbers.map(Quantity.twoDigits).joined(separator: "-")
    }

    private static func time(_ fields: tm) -> String {
        [fields.tm_hour, fields.tm_min, fields.tm_sec].map { Quantity.twoDigits(Int($0)) }.joined(separator: ":")
    }
}
