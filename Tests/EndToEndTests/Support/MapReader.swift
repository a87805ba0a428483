import Basics
import Foundation
import TestSupport

/// `Tests/judges/map-reader.py`: another process that opens the current maps all the time while runs come and go. It is ended when
/// the value goes away.
final class MapReader: Sendable {
    struct Finding: Sendable, Equatable {
        /// What was wrong, in its own words.
        var complaints: [String]
        /// How often it read a map of an area from end to end.
        var looks: Int
        /// How often it opened one of its files through `current`.
        var glances = 0
        /// How many different ones.
        var maps: Int
    }

    private let program: RunningProgram
    private let folder: TemporaryFolder

    /// It has looked at every area once.
    /// - Parameters:
    ///   - areas: their folders.
    ///   - keep: as in the manifest: older maps may go while they are being read.
    init(areas: [String], keep: Int = 2) async throws {
        folder = try TemporaryFolder()
        let ready = folder.file("ready")
        program = try RunningProgram(
            PythonJudge.interpreter ?? "/usr/bin/python3",
            [SharedFiles.packageRoot + "/Tests/judges/map-reader.py", "--keep", "\(keep)", "--ready", ready] + areas,
            environment: ProcessInfo.processInfo.environment, folder: folder.path)
        try await eventually("the reader began") { [program] in Files.exists(ready) || !program.isRunning }
    }

    /// Lets it look once more, and asks what it saw.
    func end() async throws -> Finding {
        program.send(SIGTERM)
        let ending = await program.wait()
        guard ending.code == 0, let report = try? JSON.parse(ending.stdout), let looks = report["looks"]?.int,
            let glances = report["glances"]?.int, let maps = report["maps"]?.int, let complaints = report["complaints"]?.array
        else { throw Silent(words: "\(ending.code): \(ending.stderr)") }
        return Finding(complaints: complaints.compactMap(\.string), looks: looks, glances: glances, maps: maps)
    }

    /// It did not say what it saw.
    struct Silent: Error { var words: String }
}
