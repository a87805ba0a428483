import Basics
import Glibc
import Planning

/// Sees a run go by. Terminal, plain lines, NDJSON and tests are equal observers; they decide nothing.
public protocol RunObserver: Sendable {
    /// Called for every event in order, by one caller at a time. Must not block for long.
    func on(_ event: RunEvent)
}

/// Sees nothing: `--quiet`.
public struct SilentObserver: RunObserver {
    public init() {}
    public func on(_ event: RunEvent) {}
}

/// Where text goes: a file descriptor, or memory in tests.
public struct TextOutput: Sendable {
    private let body: @Sendable (String) -> Void

    public init(_ body: @escaping @Sendable (String) -> Void) { self.body = body }

    /// Writes at once and whole. A reader that went away is not an error: the run matters more than its audience.
    public static func descriptor(_ descriptor: Int32) -> TextOutput {
        TextOutput { text in
            var text = text
            text.withUTF8 { bytes in
                var rest = UnsafeRawBufferPointer(bytes)
                while let base = rest.baseAddress, !rest.isEmpty {
                    let count = Glibc.write(descriptor, base, rest.count)
                    if count < 0 && errno == EINTR { continue }
                    if count <= 0 { return }
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
            }
        }
    }

    /// Whatever it is and wherever it came from: no value that is known as a secret goes out, and nothing that a screen obeys.
    /// - Parameter moves: of the cursor, before the text; our own, so they go out as they are.
    public func write(_ text: String, after moves: String = "") { body(moves + KnownSecrets.masked(text).disarmed) }
    public func write(lines: [String]) { if !lines.isEmpty { write(lines.joined(separator: "\n") + "\n") } }
}
