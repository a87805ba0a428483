import Basics
import TestSupport
import Testing

/// What the program prints, and where.
@Suite(.serialized) struct OutputTests {
    @Test func `Help leads with an example that works as it stands`() async throws {
        let workspace = try Workspace()
        for command in ["", "validate", "plan", "run", "status", "inspect", "schema", "version", "completion"] {
            let ending = try await workspace.run(command.isEmpty ? ["--help"] : [command, "--help"])
            #expect(ending.code == 0)
            let lines = ending.stdout.split(separator: "\n")
            #expect(lines.first == "Examples", "\(command)")
            #expect(lines.dropFirst().first?.hasPrefix("  offline-batch \(command)") == true, "\(command): \(lines)")
        }
    }

    @Test func `schema prints the schema of the repository, version its number`() async throws {
        let workspace = try Workspace()
        let schema = try await workspace.run("schema")
        #expect(schema.code == 0)
        #expect(Array(schema.stdout.utf8) == (try Files.read(SharedFiles.packageRoot + "/schemas/manifest.schema.json")))
        let report = try await workspace.run("schema", "report")
        #expect(Array(report.stdout.utf8) == (try Files.read(SharedFiles.packageRoot + "/schemas/report.schema.json")))
        let version = try await workspace.run("version")
        #expect(version.code == 0)
        #expect(version.stdout.firstMatch(of: /^offline-batch \d+\.\d+\.\d+\n/) != nil)
        #expect(version.stdout.contains("libcurl"))
    }

    @Test func `The manifests of the repository are valid, without a network`() async throws {
        let workspace = try Workspace(variables: ["OFFLINE_BATCH_PORTAL": "http://127.0.0.1:1/portal"])
        let folder = SharedFiles.packageRoot + "/manifests/"
        for name in try Files.list(folder) where name.hasSuffix(".yaml") {
            let ending = try await workspace.run("validate", folder + name)
            #expect(ending.code == 0, "\(name): \(ending.stderr)")
        }
    }

    @Test func `Paths are relative to the manifest; state and report go where they are told`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(portal: portal)
        try Files.makeDirectory(workspace.file("manifests/areas"))
        try workspace.write(
            "manifests/areas/town.geojson",
            """
            {"type": "Polygon", "coordinates": [[[-88.155, 41.768], [-88.145, 41.768], [-88.150, 41.776], [-88.155, 41.768]]]}
            """)
        try workspace.write(
            "manifests/town.yaml",
            """
            version: 1
            name: town
            webMap: acc027394bc84c2fb04d1ed317aac674
            areas:
              - { id: triangle, polygon: areas/town.geojson, buffer: 50 m }
            scale: { min: 40000, max: 20000 }
            output: { directory: ../maps }
            """)
        let run = try await workspace.run("run", "manifests/town.yaml", "--state", "memory", "--report", "told.json")
        #expect(run.code == 0, "\(run.stderr)")
        #expect(Files.exists(workspace.file("maps/triangle/current/inventory.json")))
        #expect(Files.exists(workspace.file("memory/state.db")))
        #expect(try workspace.json("told.json")["outcome"] == "ok")
        #expect(!Files.exists(workspace.file("maps/report.json")))
        #expect(!Files.exists(workspace.file("maps/.state")))
        // A polygon is sent as one, to every service.
        let exports = portal.journal.filter { $0.path.hasSuffix("/exportTiles") || $0.path.hasSuffix("/createReplica") }
        #expect(exports.count == 3)
        #expect(exports.allSatisfy { $0.parameters.values.contains { $0.contains("\"rings\"") } })
        let status = try await workspace.run("status", "manifests/town.yaml", "--state", "memory")
        #expect(status.stdout.contains("triangle/generations/"))
    }

    /// On a real pseudo terminal, made by `script` of util-linux.
    @Test func `Colours and cursor only on a terminal that wants them`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.naperville, portal: portal)
        func onTerminal(_ extra: [String: String]) async throws -> String {
            let variables = workspace.variables.merging(["TERM": "xterm"]) { $1 }.merging(extra) { $1 }
            let words = ["-qec", "\(Binaries.offlineBatch) run manifest.yaml", "/dev/null"]
            let program = try RunningProgram("/usr/bin/script", words, environment: variables, folder: workspace.folder.path)
            let ending = await program.wait()
            #expect(ending.code == 0, "\(extra): \(ending.stdout)")
            return ending.stdout
        }
        let plain = try await onTerminal([:])
        #expect(plain.contains("\u{1B}[32m"))
        #expect(plain.contains("of 6 done"))
        for (name, value) in ["NO_COLOR": "1", "CI": "true", "TERM": "dumb"] {
            let output = try await onTerminal([name: value])
            #expect(!output.contains("\u{1B}"), "\(name)")
            #expect(output.contains("water: ok (exit 0)"), "\(name)")
        }
        let pipe = try await workspace.run("run", "manifest.yaml")
        #expect(!(pipe.stdout + pipe.stderr).contains("\u{1B}"))
    }

    @Test func `The log as NDJSON on standard error, the report as JSON on standard output, silence for cron`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.naperville, portal: portal)
        let run = try await workspace.run("run", "manifest.yaml", "--log-format", "json", "--json")
        #expect(run.code == 0)
        let lines = run.stderr.split(separator: "\n")
        let records = try lines.map { try JSON.parse(String($0)) }
        for record in records {
            #expect(record["time"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
            #expect(["info", "warning", "error"].contains(record["level"]?.string))
        }
        let events = records.compactMap { $0["event"]?.string }
        #expect(events.first == "runStarted")
        #expect(events.last == "runFinished")
        #expect(events.count { $0 == "jobFinished" } == 6)
        // Two a second, not one for each of the two hundred pieces that the network brings.
        #expect((1..<100).contains(events.count { $0 == "jobProgress" }))
        let report = try JSON.parse(run.stdout)
        #expect(report == (try workspace.json("out/report.json")))

        let quiet = try await workspace.run("run", "--quiet", "manifest.yaml")
        #expect(quiet.code == 0)
        #expect(quiet.stdout.isEmpty && quiet.stderr.isEmpty)
    }
}
