import Basics
import Foundation
import Synchronization

/// Somebody who opens the current map again and again while runs come and go: it must be whole each time, and never be missing
/// once it was there.
final class MapReader: Sendable {
    private struct State {
        var complaints: [String] = []
        var looks = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let areas: [String]

    init(areas: [String]) {
        self.areas = areas
        // A thread of its own, because it never pauses for long.
        Thread.detachNewThread { [self] in
            var seen: Set<String> = []
            while !state.withLock(\.isOver) {
                for area in areas { look(area, &seen) }
                usleep(3000)
            }
        }
    }

    /// What was wrong, and how often a whole map was seen.
    func end() -> (complaints: [String], looks: Int) {
        state.withLock { state in
            state.isOver = true
            return (state.complaints, state.looks)
        }
    }

    private func look(_ area: String, _ seen: inout Set<String>) {
        guard Files.exists(area + "/current/") else {
            if seen.contains(area) { complain("\(area) has no current map any more") }
            return
        }
        seen.insert(area)
        do {
            // One generation is looked at as a whole: `current` may move on meanwhile.
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: area + "/current")
            let folder = Paths.join(area, target)
            let inventory = try JSON.parse(Files.read(folder + "/inventory.json"))
            let files = inventory["files"]?.array ?? []
            if files.isEmpty { complain("\(folder) lists no files") }
            for file in files {
                guard let path = file["path"]?.string, let bytes = file["bytes"]?.int else { continue }
                let size = try Files.size(folder + "/" + path)
                if size != bytes { complain("\(folder)/\(path) has \(size) of \(bytes) bytes") }
            }
            state.withLock { $0.looks += 1 }
        } catch {
            complain("\(area): \(error)")
        }
    }

    private func complain(_ words: String) {
        state.withLock { if $0.complaints.count < 10 { $0.complaints.append(words) } }
    }
}
