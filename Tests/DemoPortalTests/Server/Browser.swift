import Basics
import TestSupport

/// curl against a portal: an independent client for the tests of the server.
struct Browser {
    struct Reply {
        var status: Int
        var headers: [String: String]
        var body: [UInt8]
        var exitCode: Int32

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSON { (try? JSON.parse(body)) ?? .null }
        var errorCode: Int? { json["error"]?["code"]?.int }
    }

    static func get(_ url: String, _ arguments: [String] = []) throws -> Reply {
        let folder = try TemporaryFolder()
        let verdict = try Command.run(
            "curl", ["-sS", "--max-time", "20", "-D", folder.file("head"), "-o", folder.file("body"), url] + arguments)
        let head = String(decoding: (try? Files.read(folder.file("head"))) ?? [], as: UTF8.self)
        var headers: [String: String] = [:]
        var status = 0
        for line in head.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("HTTP/") { status = Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0 }
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        let body = (try? Files.read(folder.file("body"))) ?? []
        return Reply(status: status, headers: headers, body: body, exitCode: verdict.status)
    }

    static func post(_ url: String, _ form: [(String, String)], _ arguments: [String] = []) throws -> Reply {
        try get(url, form.flatMap { ["--data-urlencode", "\($0.0)=\($0.1)"] } + arguments)
    }

    /// Polls a job until its status is final; gives the last answer and all words seen.
    static func poll(_ url: String, _ key: String, arguments: [String] = []) throws -> (last: JSON, words: [String]) {
        var words: [String] = []
        for _ in 0..<200 {
            let answer = try get(url + (url.contains("?") ? "&" : "?") + "f=json", arguments).json
            let word = answer[key]?.string ?? "?"
            if words.last != word { words.append(word) }
            if ["Completed", "CompletedWithErrors", "Failed", "esriJobSucceeded", "esriJobFailed", "esriJobCancelled", "?"]
                .contains(word)
            {
                return (answer, words)
            }
        }
        return (.null, words)
    }
}
