import Foundation
import Planning

/// A mail for `sendmail -t` (RFC 5322): plain text in UTF-8. Nothing that goes into a header can begin a line of its own.
public struct MailText: Sendable {
    public var from: String
    public var to: [String]
    public var news: NewsText
    public var date: Date

    public init(from: String, to: [String], news: NewsText, date: Date) {
        self.from = from
        self.to = to
        self.news = news
        self.date = date
    }

    /// With the line ends that sendmail takes.
    public var message: String {
        let headers = [
            ("From", from), ("To", to.joined(separator: ",\n ")), ("Subject", Self.encoded(news.subject)),
            ("Date", Self.date(date)),
            ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=utf-8"), ("Content-Transfer-Encoding", "base64"),
            // No holiday reply comes back.
            ("Auto-Submitted", "auto-generated"),
        ]
        let body = Data((news.lines.joined(separator: "\r\n") + "\r\n").utf8)
            .base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        return headers.map { "\($0.0): \($0.1)\n" }.joined() + "\n" + body + "\n"
    }

    /// RFC 2047: words of at most 68 characters, cut between characters, one a line.
    static func encoded(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), text.utf8.count < 70 { return text }
        var words: [[UInt8]] = [[]]
        for character in text {
            let bytes = Array(String(character).utf8)
            // 42 bytes are 56 characters of base64; the frame takes 12 and `Subject: ` 9, and a line holds 78.
            if words[words.count - 1].count + bytes.count > 42 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\n ")
    }

    /// "Mon, 30 Nov 2026 02:21:46 +0000".
    static func date(_ date: Date) -> String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let fields = Moment.fields(date, offset: 0)
        let time = [fields.tm_hour, fields.tm_min, fields.tm_sec].map { Quantity.twoDigits(Int($0)) }.joined(separator: ":")
        return
            "\(days[Int(fields.tm_wday)]), \(fields.tm_mday) \(months[Int(fields.tm_mon)]) \(fields.tm_year + 1900) \(time) +0000"
    }
}
