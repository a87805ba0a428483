import Foundation
import Glibc

extension TimeZone {
    /// This machine's zone as cron, systemd's timers and `date` know it.
    public static let ofMachine = MachineZone.ofProcess.zone(around: Int(Date().timeIntervalSince1970))
}

/// Finds a zone by what its clocks show. The C library decides that for everything else on a machine: by `TZ` in each form of tzset(3), else
/// by /etc/localtime, which may be a copy without a name. Foundation takes names only, guesses at the rest, and brings rules of its own,
/// which may be older than the machine's.
struct MachineZone {
    /// Names that it may have, the likeliest first.
    var names: [String]
    /// Seconds east of UTC at a moment.
    var offset: (Int) -> Int

    private static let day = 86_400

    /// The first zone whose clocks show the same for a year back and two years on; where there is none, what the clocks show now.
    func zone(around now: Int) -> TimeZone {
        let moments = moments(around: now).map { (moment: Date(timeIntervalSince1970: Double($0)), offset: offset($0)) }
        for name in names + TimeZone.knownTimeZoneIdentifiers {
            guard let zone = TimeZone(identifier: name) else { continue }
            if moments.allSatisfy({ zone.secondsFromGMT(for: $0.moment) == $0.offset }) { return zone }
        }
        return TimeZone(secondsFromGMT: offset(now)) ?? .gmt
    }

    /// One a week, and both sides of every change of the clocks.
    private func moments(around now: Int) -> [Int] {
        let days = Array(stride(from: now - 365 * Self.day, through: now + 730 * Self.day, by: Self.day))
        let changes = zip(days, days.dropFirst()).filter { offset($0) != offset($1) }.flatMap { first, last in
            var (before, after) = (first, last)
            while after - before > 1 {
                let middle = (before + after) / 2
                if offset(middle) == offset(last) { after = middle } else { before = middle }
            }
            return [before, after]
        }
        return changes + stride(from: 0, to: days.count, by: 7).map { days[$0] }
    }

    static var ofProcess: MachineZone {
        tzset()
        let variable = getenv("TZ").map { [String(cString: $0)] }
        let record = (try? Files.read("/etc/timezone")).map { String(decoding: $0, as: UTF8.self).split(separator: "\n") } ?? []
        let texts = variable ?? links(from: "/etc/localtime") + record.map(String.init)
        return MachineZone(names: texts.compactMap(name) + [TimeZone.current.identifier]) { seconds in
            var (time, fields) = (time_t(seconds), tm())
            localtime_r(&time, &fields)
            return Int(fields.tm_gmtoff)
        }
    }

    /// What a link says, and what the links that it leads to say.
    private static func links(from path: String) -> [String] {
        var texts: [String] = []
        var next: String? = path
        while let link = next, texts.count < 8, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) {
            texts.append(target)
            next = target.hasPrefix("/") ? target : Paths.join(Paths.parent(link), target)
        }
        return texts
    }

    /// `Europe/Berlin` of `:Europe/Berlin`, `/usr/share/zoneinfo/posix/Europe/Berlin`; nil when nothing is left.
    static func name(_ text: String) -> String? {
        var name = text.hasPrefix(":") ? String(text.dropFirst()) : text
        for mark in ["zoneinfo/", "posix/", "right/"] {
            if let range = name.range(of: mark) { name = String(name[range.upperBound...]) }
        }
        return name.isEmpty ? nil : name
    }
}
