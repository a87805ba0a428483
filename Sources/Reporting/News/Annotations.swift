import Basics
import Foundation
import Manifest
import Planning

/// Failures at the lines of the manifest that they come from, as pipelines show them beside the code.
public struct Annotations: Sendable {
    /// Title and message are made safe.
    struct Item: Equatable {
        var file: String
        var line: Int
        var column: Int
        var title: String
        /// Its lines.
        var message: [String]
        /// Stable between runs, so that a pipeline can tell what is new.
        var identity: String
    }

    /// GitHub shows ten errors a step.
    private static let shown = 10

    public var report: RunReport
    public var manifest: Manifest

    public init(report: RunReport, manifest: Manifest) {
        self.report = report
        self.manifest = manifest
    }

    var items: [Item] {
        ToDo(report: report).entries.map { entry in
            let place = entry.origin.flatMap(Self.place) ?? area(entry.areas.first) ?? (manifest.path, 1, 1)
            return Item(
                file: place.0, line: place.1, column: place.2,
                title: entry.place.isEmpty ? Wording.foreign(report.name) : entry.place,
                message: ([entry.what] + entry.details + ["Next: \(entry.next)"]).map(Wording.foreign),
                identity: SHA256.hex(of: ([entry.what] + entry.layers).joined(separator: "\n")))
        }
    }

    /// The entry of the area in the manifest.
    private func area(_ id: String?) -> (String, Int, Int)? {
        manifest.areas.first { $0.id == id }.flatMap { Self.place($0.origin) }
    }

    /// "file:line:column"; the file's name may hold colons.
    private static func place(_ origin: String) -> (String, Int, Int)? {
        let parts = origin.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]) else {
            return nil
        }
        return (parts.dropLast(2).joined(separator: ":"), line, column)
    }

    /// Workflow commands of GitHub Actions, one line each.
    public var github: [String] {
        let items = items
        let rest = items.count - Self.shown
        return items.prefix(Self.shown).map { item in
            let properties = [
                "file=\(Self.property(item.file))", "line=\(item.line)", "col=\(item.column)",
                "title=\(Self.property(item.title))",
            ]
            return "::error \(properties.joined(separator: ","))::\(Self.data(item.message.joined(separator: "\n")))"
        } + (rest > 0 ? ["::error ::\(Quantity.count(rest, "more failure")) in the report"] : [])
    }

    /// A Code Quality report of GitLab (a subset of Code Climate's).
    public var codeQuality: String {
        let issues = items.map { item -> JSON in
            [
                "description": .string("\(item.title): \(item.message.joined(separator: " "))"), "check_name": "offline-batch",
                "fingerprint": .string(item.identity), "severity": "major",
                "location": ["path": .string(item.file), "lines": ["begin": JSON(item.line)]],
            ]
        }
        return JSON.array(issues).serialized(.indented) + "\n"
    }

    private static func data(_ text: String) -> String {
        text.escaping(["%": "%25", "\r": "%0D", "\n": "%0A"])
    }
    private static func property(_ text: String) -> String { data(text).escaping([":": "%3A", ",": "%2C"]) }
}
