import Basics
import Foundation
import TestSupport

/// A user's folder: a manifest, `offline-batch` run in it, what came out.
///
///     let workspace = try Workspace(manifest: Workspace.naperville, portal: portal)
///     let run = try await workspace.run("run", "manifest.yaml")
///     #expect(run.code == 0, "\(run.stderr)")
final class Workspace: Sendable {
    let folder: TemporaryFolder
    /// What the program gets beside PATH and the like.
    let variables: [String: String]

    init(manifest: String? = nil, portal: PortalProcess? = nil, variables: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        // Nothing of the caller's surroundings may decide the outcome.
        var environment = ProcessInfo.processInfo.environment.filter { name, _ in
            !["NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "CI", "TERM", "COLUMNS", "TZ"].contains(name)
                && !name.hasPrefix("OFFLINE_BATCH_")
        }
        environment["HOME"] = folder.path
        if let portal { environment["OFFLINE_BATCH_PORTAL"] = portal.url }
        self.variables = environment.merging(variables) { $1 }
        if let manifest { try write("manifest.yaml", manifest) }
    }

    func file(_ name: String) -> String { folder.file(name) }
    func write(_ name: String, _ text: String) throws { try Files.writeAtomically(Array(text.utf8), to: file(name)) }
    func read(_ name: String) throws -> [UInt8] { try Files.read(file(name)) }
    func json(_ name: String) throws -> JSON { try JSON.parse(Files.read(file(name))) }

    /// Runs `offline-batch` with these arguments to its end.
    func run(_ arguments: String..., variables extra: [String: String] = [:]) async throws -> RunningProgram.Ending {
        try await run(arguments, variables: extra)
    }

    func run(_ arguments: [String], variables extra: [String: String] = [:]) async throws -> RunningProgram.Ending {
        try await start(arguments, variables: extra).wait()
    }

    /// Starts it and does not wait: for signals.
    func start(_ arguments: [String], variables extra: [String: String] = [:]) throws -> RunningProgram {
        try RunningProgram(
            Binaries.offlineBatch, arguments, environment: variables.merging(extra) { $1 }, folder: folder.path)
    }

    /// One small area of the water network: a replica, two tile packages and a style.
    static let naperville = """
        version: 1
        name: water
        webMap: acc027394bc84c2fb04d1ed317aac674
        areas:
          - id: downtown
            envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 }
        scale: { min: 40000, max: 8000 }
        output: { directory: out, keep: 2 }
        """
}
