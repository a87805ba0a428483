import Basics
import Foundation
import Packaging
import Planning

/// Old maps go when a newer one is current, and also on nights that publish nothing: after a kill between a map and its record,
/// with a smaller `keep`, or by age.
struct MapTidying: Sendable {
    var output: String
    var keep: Retention

    /// Under the lock of a run. Gives what a person should know; the current map stands, whatever becomes of the old ones.
    func callAsFunction(_ area: String, now: Date) -> [String] {
        let generations = Generations(output: output, area: area)
        let removal = GenerationRemoval(generations)
        do throws(SystemError) {
            guard try removal.isDue(keep, now: now) else { return [] }
            try generations.dropStages()
            return try removal.prune(keep, now: now).filter(\.hasForeignFiles).map {
                "files that are not ours stay in the old folder \($0.generation.path)"
            }
        } catch {
            return ["an old map could not be removed: \(error.call) \(error.path): \(error.message)"]
        }
    }
}
