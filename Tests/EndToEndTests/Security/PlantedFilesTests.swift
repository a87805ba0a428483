import Basics
import Foundation
import TestSupport
import Testing

/// What somebody else who may write in the output folder has put there, and what others get to see of a run's files.
@Suite(.serialized) struct PlantedFilesTests {
    @Test func `A link in the place of a file of ours leads nobody's bytes astray`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        try workspace.write("precious", "precious")
        try Files.makeDirectory(workspace.file("out"))
        for name in ["report.json", "report.html"] { symlink(workspace.file("precious"), workspace.file("out/" + name)) }
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stdout)\(run.stderr)")
        #expect(try FileStatus.of(workspace.file("out/report.json")).kind == .file)

        // These would be opened and written where they lead: they are refused.
        for name in [".lock", ".state/lock", ".state/state.db"] {
            try Files.remove(workspace.file("out/" + name))
            symlink(workspace.file("precious"), workspace.file("out/" + name))
            let refused = try await workspace.run("run", "manifest.yaml")
            #expect(refused.code == 73, "\(name): \(refused.stdout)")
            #expect(refused.stdout.contains("symbolic link"), "\(name): \(refused.stdout)")
            try Files.remove(workspace.file("out/" + name))
        }
        #expect(try workspace.read("precious") == Array("precious".utf8))
    }

    /// Nobody is at the other end of these pipes: whoever opens one as a file waits for ever.
    @Test(.timeLimit(.minutes(3))) func `A pipe in the place of a file holds nobody up`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        try Files.makeDirectory(workspace.file("out"))
        func plant(_ name: String) throws {
            try Files.remove(workspace.file(name))
            try #require(mkfifo(workspace.file(name), 0o600) == 0, "\(name)")
        }
        for name in ["out/report.json", "out/report.html"] { try plant(name) }
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stdout)\(run.stderr)")
        #expect(try FileStatus.of(workspace.file("out/report.json")).kind == .file)

        for name in ["out/.lock", "out/.state/lock", "out/.state/state.db-wal", "out/.state/state.db"] {
            try plant(name)
            for arguments in [["status", "manifest.yaml"], ["doctor", "--offline", "manifest.yaml"]] {
                _ = try await workspace.run(arguments)
            }
            let refused = try await workspace.run("run", "manifest.yaml")
            #expect(refused.code == 73, "\(name): \(refused.stdout)")
            #expect(refused.stdout.contains("not a file but a pipe"), "\(name): \(refused.stdout)")
            try Files.remove(workspace.file(name))
        }
        try plant("out/downtown/current/inventory.json")
        let map = try await workspace.run("verify", "manifest.yaml")
        #expect(map.code != 0, "\(map.stdout)\(map.stderr)")
        let afresh = try await workspace.run("run", "manifest.yaml")
        #expect(afresh.code == 0, "\(afresh.stdout)\(afresh.stderr)")
    }

    @Test(.timeLimit(.minutes(3))) func `A pipe in the place of what a manifest names holds nobody up`() async throws {
        let portal = try await PortalProcess()
        for (extra, area) in [
            ("portal: { auth: { token: { file: pipe } } }", nil), ("portal: { tls: { caFile: pipe } }", nil),
            ("", "areas: [{ features: { file: pipe, id: NAME } }]"),
        ] {
            let water = Workspace.water(extra: extra)
            let workspace = try Workspace(manifest: area.map { water.replacing(/areas: .*/, with: $0) } ?? water, portal: portal)
            #expect(mkfifo(workspace.file("pipe"), 0o600) == 0)
            let run = try await workspace.run("run", "manifest.yaml")
            #expect(run.code != 0 && (run.stdout + run.stderr).contains("pipe"), "\(run.stdout)\(run.stderr)")
        }
    }

    /// A person may name one, and is at its other end.
    @Test func `A manifest, a map, a plan and a secret may come from other programs`() async throws {
        let users = try TemporaryFolder()
        try Files.writeAtomically(
            Array("users: [{name: gis, password: from-a-pipe, role: org_admin}]\nsecured: {services: ['*']}\n".utf8),
            to: users.file("users.yaml"))
        let portal = try await PortalProcess(flags: ["--users", users.file("users.yaml")])
        let auth = "portal: { auth: { user: { name: gis, password: { file: /dev/stdin } } } }"
        let workspace = try Workspace(manifest: Workspace.water(extra: auth), portal: portal)
        let program = "'\(Binaries.offlineBatch)'"
        for command in [
            "(sleep 0.3; echo from-a-pipe) | \(program) plan -o plan.json manifest.yaml",
            "(sleep 0.3; echo from-a-pipe) | \(program) run --plan <(sleep 0.3; cat plan.json) <(sleep 0.3; sed \"s=directory: =&$PWD/=\" manifest.yaml)",
        ] {
            let run = try await RunningProgram(
                "/bin/bash", ["-c", command], environment: workspace.variables, folder: workspace.folder.path
            ).wait()
            #expect(run.code == 0, "\(command): \(run.stdout)\(run.stderr)")
        }
    }

    @Test func `The state is closed to others, whoever made its folder and however open the mask is`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        try Files.makeDirectory(workspace.file("open"))
        chmod(workspace.file("open"), 0o777)
        let command = "umask 0; exec '\(Binaries.offlineBatch)' run manifest.yaml --state"
        for state in ["open", "fresh"] {
            let run = try await RunningProgram(
                "/bin/sh", ["-c", "\(command) \(state)"], environment: workspace.variables, folder: workspace.folder.path
            ).wait()
            #expect(run.code == 0, "\(run.stdout)\(run.stderr)")
            for file in ["state.db", "artifacts", "partial"] {
                #expect((Files.mode(workspace.file("\(state)/\(file)")) ?? 0) & 0o077 == 0, "\(state)/\(file)")
            }
        }
        #expect((Files.mode(workspace.file("fresh")) ?? 0) == 0o700)
        chmod(workspace.file("out"), 0o777)
        let doctor = try await workspace.run("doctor", "--offline", "--state", "open", "manifest.yaml")
        for folder in ["open", "out"] {
            let words = "others may put and replace files in \(workspace.file(folder)) (mode 777)"
            #expect(doctor.stdout.replacing(/\s+/, with: " ").contains(words), "\(doctor.stdout)")
        }
    }

    /// A short password cannot be hidden in every word; whoever has one is told, and it is hidden where servers quote it.
    @Test func `A short password is hidden where it stands alone, and doctor warns of it`() async throws {
        let users = try TemporaryFolder()
        try Files.writeAtomically(
            Array(
                """
                users: [{name: gis, password: "q7%x", role: org_admin}]
                secured: {services: ["Water_Network/*"]}
                """.utf8), to: users.file("users.yaml"))
        let quoting = """
            - {path: '*/createReplica', jsonError: {code: 400, message: "bad 'q7%x'", details: ['pw=q7%25x&f=json', 'q7%x']}}
            """
        let portal = try await PortalProcess(flags: ["--users", users.file("users.yaml")], faults: quoting)
        let manifest = Workspace.water(extra: "portal: { auth: { user: { name: gis, password: { env: SHORT } } } }")
        let workspace = try Workspace(manifest: manifest, portal: portal, variables: ["SHORT": "q7%x"])
        let run = try await workspace.run("run", "--verbose", "manifest.yaml")
        #expect(run.code == 1 && run.stdout.contains("bad '***'"), "\(run.stdout)")
        let doctor = try await workspace.run("doctor", "manifest.yaml")
        #expect(doctor.stdout.contains("environment variable SHORT: shorter than 8 characters"), "\(doctor.stdout)")
        let files = ["out/report.json", "out/report.html"].map {
            String(decoding: (try? workspace.read($0)) ?? [], as: UTF8.self)
        }
        for text in [run.stdout, run.stderr, doctor.stdout] + files {
            #expect(!text.isEmpty || text == run.stderr)
            #expect(!text.contains("q7%x") && !text.contains("q7%25x"))
        }
    }
}
