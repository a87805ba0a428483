import Basics
import Foundation

/// The programs as they were built beside this test bundle.
enum Binaries {
    static let offlineBatch = folder + "/offline-batch"
    static let demoPortal = folder + "/demo-portal"

    private static let folder: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return Paths.parent(bundle)
    }()
}
