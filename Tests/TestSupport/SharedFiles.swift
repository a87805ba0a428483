import Basics
import Foundation

/// The recorded replies and sample files that live outside the project: `$OFFLINE_BATCH_SHARED`, else `../shared` beside the package.
public enum SharedFiles {
    public static let root: String? = {
        let named = ProcessInfo.processInfo.environment["OFFLINE_BATCH_SHARED"]
        let beside = Paths.parent(packageRoot) + "/shared"
        return [named, beside].compactMap { $0 }.first(where: Files.isDirectory)
    }()

    public static var isAvailable: Bool { root != nil }

    /// Why a test that needs the files was skipped.
    public static let skipReason: String = "needs the recorded files: set OFFLINE_BATCH_SHARED to their folder"

    public static func path(_ relative: String) -> String { Paths.join(root ?? "", relative) }

    /// The folder of `Package.swift`.
    public static let packageRoot: String = {
        var folder = #filePath
        while !folder.isEmpty, folder != "/", !Files.exists(folder + "/Package.swift") { folder = Paths.parent(folder) }
        return folder
    }()
}
