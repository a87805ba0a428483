import Basics
import Glibc
import Synchronization

/// One line a request, secrets replaced: as NDJSON in a file, and in memory for tests.
final class Journal: Sendable {
    private let file: FileDescriptor?
    private let keepsEntries: Bool
    private let entries = Mutex<[JournalEntry]>([])

    init(path: String?, keepsEntries: Bool) throws(SystemError) {
        // Append mode: a line is one write, so lines of several threads do not mix.
        if let path { file = try FileDescriptor.open(path, flags: O_WRONLY | O_CREAT | O_APPEND) } else { file = nil }
        self.keepsEntries = keepsEntries
    }

    var isNeeded: Bool { file != nil || keepsEntries }
    var all: [JournalEntry] { entries.withLock { $0 } }

    func record(_ request: Request, status: Int, bytes: Int, time: Double) {
        guard isNeeded else { return }
        let entry = JournalEntry(request, status: status, bytes: bytes, time: time)
        if keepsEntries { entries.withLock { $0.append(entry) } }
        if let file { try? file.write(Array((entry.json.serialized() + "\n").utf8)[...]) }
    }

    func close() { file?.close() }
}

/// A request as the journal shows it.
public struct JournalEntry: Sendable, Hashable {
    /// ISO 8601, UTC, milliseconds.
    public var time: String
    public var method: String
    public var path: String
    /// Query and form merged.
    public var parameters: [String: String]
    public var headers: [String: String]
    public var status: Int
    public var bytes: Int

    init(_ request: Request, status: Int, bytes: Int, time: Double) {
        self.time = ISO8601.text(time)
        method = request.method
        path = request.path
        parameters = Dictionary(
            request.parameters.items.map { ($0.name, Redaction.isSecret(parameter: $0.name) ? Redaction.mark : $0.value) },
            uniquingKeysWith: { $1 })
        headers = Dictionary(
            request.headers.items.map { ($0.name, Redaction.isSecret(header: $0.name) ? Redaction.mark : $0.value) },
            uniquingKeysWith: { $1 })
        self.status = status
        self.bytes = bytes
    }

    var json: JSON {
        let object = { (values: [String: String]) in
            JSON.object(JSONObject(values.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value)) }))
        }
        return [
            "time": .string(time), "method": .string(method), "path": .string(path), "parameters": object(parameters),
            "headers": object(headers), "status": JSON(status), "bytes": JSON(bytes),
        ]
    }
}

enum ISO8601 {
    static func text(_ seconds: Double) -> String {
        let milliseconds = Int64((seconds * 1000).rounded(.down))
        var clock = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&clock, &parts)
        let pad = { (number: Int, width: Int) in
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(parts.tm_year + 1900)-\(pad(Int(parts.tm_mon) + 1, 2))-\(pad(Int(parts.tm_mday), 2))T"
            + "\(pad(Int(parts.tm_hour), 2)):\(pad(Int(parts.tm_min), 2)):\(pad(Int(parts.tm_sec), 2))"
            + ".\(pad(Int(milliseconds % 1000), 3))Z"
    }
}
