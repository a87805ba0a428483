import Foundation
import Glibc

/// What the process holds, as the kernel sees it.
struct Holdings: Equatable {
    var residentBytes: Int
    var descriptors: Int
    var threads: Int

    static var now: Holdings {
        let pages = text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let threads = text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("Threads:") }
        return Holdings(
            residentBytes: pages * Int(getpagesize()),
            // Less the one that reads the folder.
            descriptors: ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count - 1,
            threads: threads.flatMap { Int($0.dropFirst(8).trimmingCharacters(in: .whitespaces)) } ?? 0)
    }

    /// After threads and connections that are going have gone, and what the allocator keeps for later is given back.
    static func settled() -> Holdings {
        var last = now
        for _ in 0..<40 {
            usleep(25_000)
            _ = trim?(0)
            let next = now
            if next == last { return next }
            last = next
        }
        return last
    }

    /// glibc's `malloc_trim`, which its module map leaves out.
    private static let trim: (@convention(c) (Int) -> Int32)? = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }

    var text: String { "\(residentBytes) \(descriptors) \(threads)" }

    private static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}
