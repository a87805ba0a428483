import Basics
import Foundation
import Glibc
import TestSupport
import Testing

/// Plays one cell of the matrix: a good night, the fault, and the same command once the fault is gone.
struct FaultRun {
    let cell: FaultCell

    struct Result: Sendable {
        var cell: FaultCell
        var outcome: FaultOutcome
        var reader: MapReader.Finding
        /// For whoever has to find out why.
        var words: String
    }

    func callAsFunction() async throws -> Result {
        let users = try TemporaryFolder()
        try Files.writeAtomically(Array(FaultCell.usersFile.utf8), to: users.file("users.yaml"))
        let signsIn = cell.extra.contains("PORTAL_PASSWORD")
        let flags = cell.flags + (signsIn ? ["--users", users.file("users.yaml")] : [])
        let portal = try await PortalProcess(flags: flags)
        let workspace = try Workspace(portal: portal, variables: ["PORTAL_PASSWORD": "night-and-day-4711"])
        let disk = try FullDisk(cell, workspace)
        defer { disk?.unmount() }

        // The night before: other places, so that all of tonight's work is new.
        try workspace.write("manifest.yaml", manifest(night: 0, disk))
        let before = try await workspace.run("run", "manifest.yaml")
        guard before.code == 0 else { throw Unplayable(words: before.stdout + before.stderr) }
        let reader = try await MapReader(areas: [workspace.file("out/downtown")])
        let old = try current(workspace)

        try workspace.write("manifest.yaml", manifest(night: 1, disk))
        var arguments = ["run", "--log-format", "json", "manifest.yaml"]
        if cell.event == .savedPlan {
            _ = try await workspace.run("plan", "-o", "plan.json", "manifest.yaml")
            arguments = ["run", "--plan", "plan.json", "manifest.yaml"]
        }
        try await portal.setFaults(cell.event.needsJobsAtServer ? Self.unfinished : cell.rules)
        let start = portal.journal.count
        let first = try await run(arguments, workspace, portal, disk)
        let during = Count(portal.journal.dropFirst(start))
        let isNew = try current(workspace) != old

        try disk?.makeRoom()
        try await portal.setFaults("[]")
        let middle = portal.journal.count
        let second = try await workspace.run("run", "manifest.yaml")
        let after = Count(portal.journal.dropFirst(middle))
        let isNewAtLast = try current(workspace) != old
        #expect(second.code == 0, "\(cell.testDescription): the rerun\n\(second.stderr)\(second.stdout)")
        #expect(isNewAtLast, "\(cell.testDescription): the rerun publishes")
        return Result(
            cell: cell,
            outcome: FaultOutcome(
                exit: first.code, map: isNew ? .new : .old, submissions: during.submissions, downloads: during.downloads,
                again: first.code == 0 ? nil : after.submissions),
            reader: try await reader.end(), words: first.stderr + first.stdout)
    }

    private func run(
        _ arguments: [String], _ workspace: Workspace, _ portal: PortalProcess, _ disk: FullDisk?
    ) async throws -> RunningProgram.Ending {
        switch cell.event {
        case .none, .savedPlan: return try await workspace.run(arguments)
        case .clock(let seconds):
            let file = workspace.file("shift")
            try Files.writeAtomically(Array("0".utf8), to: file)
            let program = try workspace.start(
                arguments, variables: ["LD_PRELOAD": Machine.library ?? "", "CLOCK_SHIFT": file])
            try await Self.untilSubmitted(program)
            try Files.writeAtomically(Array("\(seconds)".utf8), to: file)
            try await portal.setFaults(cell.rules)
            return await program.wait()
        case .full:
            let program = try workspace.start(arguments)
            try await Self.untilSubmitted(program)
            try disk?.fill()
            try await portal.setFaults(cell.rules)
            return await program.wait()
        }
    }

    /// No job is ever over, however late the event comes.
    private static let unfinished = """
        - {path: '*/jobs/*', rewrite: {'"Completed"': '"ExportingData"', 'esriJobSucceeded': 'esriJobExecuting'}}
        """

    /// All three jobs are at the server and on record.
    private static func untilSubmitted(_ program: RunningProgram) async throws {
        try await eventually("all jobs are at the server") {
            program.stderr.components(separatedBy: #""event":"jobSubmitted""#).count == 4 || !program.isRunning
        }
    }

    /// Of the good night before, nothing but its limits is different: it must not fail because the machine is slow.
    private func manifest(night: Int, _ disk: FullDisk?) -> String {
        let isGood = night == 0
        return """
            version: 1
            name: water
            webMap: acc027394bc84c2fb04d1ed317aac674
            areas: [{ id: downtown, envelope: { xmin: \(-88.160 + Double(night) * 0.001), ymin: 41.765, xmax: -88.140, ymax: 41.780 } }]
            scale: { min: 40000, max: 20000 }
            output: { directory: out, keep: 2 }
            \(isGood && cell.extra.hasPrefix("limits:") ? "" : cell.extra)
            """
    }

    private func current(_ workspace: Workspace) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: workspace.file("out/downtown/current"))
    }

    /// The good night did not work: there is nothing to say about the fault.
    struct Unplayable: Error { var words: String }

    private struct Count {
        var submissions = 0
        var downloads = 0

        init(_ requests: ArraySlice<PortalProcess.Request>) {
            for request in requests {
                if request.isSubmission { submissions += 1 }
                if request.isDownload { downloads += 1 }
            }
        }
    }
}

/// A small file system under a run, of which the test takes the last byte and gives it back.
private struct FullDisk {
    let disk: TinyDisk

    /// nil for cells that need none.
    init?(_ cell: FaultCell, _ workspace: Workspace) throws {
        guard case .full(let place) = cell.event else { return nil }
        switch place {
        case .state: disk = try TinyDisk(workspace.file("out/.state"), megabytes: 16)
        case .output: disk = try TinyDisk(workspace.file("out/downtown"), megabytes: 16)
        }
    }

    func fill() throws {
        // As much as there is: what is written last may find less room than was asked for.
        var size = try Files.freeSpace(at: disk.path)
        while size > 0 {
            let path = disk.path + "/ballast-\(size)"
            if (try? Files.writeAtomically([UInt8](repeating: 1, count: size), to: path)) == nil { size /= 2 }
            size = min(size, try Files.freeSpace(at: disk.path))
        }
    }

    func makeRoom() throws {
        for name in try Files.list(disk.path) where name.hasPrefix("ballast") { try Files.remove(disk.path + "/" + name) }
    }

    func unmount() { disk.unmount() }
}

extension FaultCell {
    /// What this machine must allow for the cell to be played; nil when it can be.
    var obstacle: String? {
        switch event {
        case .full where !TinyDisk.isPossible: "needs the right to mount a tmpfs"
        case .clock where Machine.library == nil: "needs a C compiler"
        default: nil
        }
    }
}
