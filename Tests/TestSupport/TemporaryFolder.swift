import Basics
import Foundation

/// A fresh folder that is removed when the value goes away.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = Paths.join(NSTemporaryDirectory(), "offline-batch-\(UUID().uuidString)")
        try Files.makeDirectory(path)
    }

    deinit { try? Files.remove(path) }

    public func file(_ name: String) -> String { Paths.join(path, name) }
}
