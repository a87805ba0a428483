import Foundation
import Planning

/// A dead man's switch in the manner of Healthchecks (https://healthchecks.io/docs/http_api/): an address that hears of the start, of the
/// good end, or of the bad one.
public struct Ping: Sendable, Equatable {
    /// Healthchecks keeps the first 100 kB.
    static let longest = 10_000

    public var url: String
    public var body: String

    public static func start(_ url: String) -> Ping { Ping(url: joined(url, "start"), body: "") }

    public static func end(_ url: String, _ news: NewsText) -> Ping {
        let text = news.lines.joined(separator: "\n") + "\n"
        let isGood = news.report.outcome == .ok
        return Ping(
            url: isGood ? url : joined(url, "fail"),
            body: isGood ? text : "exit code \(news.report.exitCode)\n" + String(text.prefix(longest)))
    }

    /// Behind the path, before a query.
    private static func joined(_ url: String, _ word: String) -> String {
        let path = url.prefix { $0 != "?" }
        return path + (path.hasSuffix("/") ? "" : "/") + word + url.dropFirst(path.count)
    }
}
