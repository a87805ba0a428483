import Basics
import Foundation
import Planning

/// What a run, or another command that changes maps or state, holds: the locks of the state and of the output. Two states must not write
/// the same maps, nor two outputs use one state.
struct RunLocks: Sendable {
    private let locks: [RunLock]

    /// - Parameter output: nil for who touches the state alone.
    static func hold(state: String, output: String?, now: Date) throws(RunStop) -> RunLocks {
        do throws(SystemError) { try Files.makeDirectory(state, mode: 0o700) } catch { throw RunStop(Failure(.state, error)) }
        var paths = [state + "/lock"]
        // Where there is no folder there are no maps.
        if let output, Files.isDirectory(output) { paths.append(Paths.join(output, ".lock")) }
        var locks: [RunLock] = []
        do throws(RunLock.LockError) {
            for path in paths { locks.append(try RunLock(path: path, now: now)) }
        } catch {
            for lock in locks { lock.release() }
            throw RunStop(error)
        }
        return RunLocks(locks: locks)
    }

    /// A process that died without finishing left them behind.
    var takenOverFrom: RunLock.Holder? { locks.lazy.compactMap(\.takenOverFrom).first }

    func release() { for lock in locks { lock.release() } }
}
