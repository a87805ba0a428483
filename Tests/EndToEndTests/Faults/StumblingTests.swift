import Basics
import Foundation
import TestSupport
import Testing

/// Answers go wrong at random while the process is killed at random; whatever comes of a single run, a reader of `current` finds complete
/// maps only. What each fault and each kill comes to for itself is asserted by `FaultMatrixTests` and `KillTests`.
@Suite(.serialized) struct StumblingTests {
    /// One answer in six or seven is cut, emptied, shortened or replaced.
    private static func faults(_ seed: UInt64) -> String {
        let files = ["cutAfter: 30000", "replaceFile: empty", "truncateFile: 20000", "replaceFile: html", "replaceFile: json"]
        let answers = [
            "cutAfter: 0", "status: 503", "html: '<html><title>Bad gateway</title></html>'",
            "jsonError: {code: 500, message: Oops.}",
        ]
        let rules =
            ["*.geodatabase", "*.tpkx", "*.vtpk"].flatMap { path in files.map { (path, $0, 0.03) } }
            + ["*/createReplica", "*/exportTiles", "*/jobs/*"].flatMap { path in answers.map { (path, $0, 0.03) } }
        let list = rules.enumerated().map { number, rule in
            "- {path: '\(rule.0)', probability: \(rule.2), seed: \(seed &+ UInt64(number)), \(rule.1)}"
        }
        // Lines on which there is time for a kill.
        let lines = ["- {path: '*.geodatabase', bytesPerSecond: 200000}", "- {path: '*tpk*', bytesPerSecond: 600000}"]
        return (list + lines).joined(separator: "\n")
    }

    @Test func `Whatever is cut, emptied or replaced while the process is killed, current is whole`() async throws {
        let runs = FaultMatrixTests.isWhole ? 100 : 8
        var random = SplitMix(state: 1_204)
        let portal = try await PortalProcess()
        let workspace = try Workspace(portal: portal)
        try workspace.write("manifest.yaml", Self.manifest(0))
        let first = try await workspace.run("run", "manifest.yaml")
        try #require(first.code == 0, "\(first.stderr)")
        let reader = try await MapReader(areas: [workspace.file("out/downtown"), workspace.file("out/riverwalk")])
        var (killed, codes) = (0, Set<Int32>())
        for number in 1...runs {
            // Other places every other time, so that there is new work and work to be continued.
            try workspace.write("manifest.yaml", Self.manifest(number / 2))
            try await portal.setFaults(Self.faults(random.next()))
            let program = try workspace.start(["run", "--log-format", "json", "manifest.yaml"])
            let killing = ContinuousClock.now + .milliseconds(Int(random.next() % 3000))
            while program.isRunning, ContinuousClock.now < killing { try await Task.sleep(for: .milliseconds(5)) }
            program.send(SIGKILL)
            let ending = await program.wait()
            if ending.signal == SIGKILL { killed += 1 } else { codes.insert(ending.code) }
        }
        // Partly, failed, unavailable: nothing else comes of it, least of all a crash.
        #expect(codes.isSubset(of: [0, 1, 2, 69]), "\(codes)")
        #expect(killed > runs / 4, "\(killed) of \(runs)")
        try await portal.setFaults("[]")
        let last = try await workspace.run("run", "manifest.yaml")
        #expect(last.code == 0, "\(last.stderr)")
        let finding = try await reader.end()
        #expect(finding.complaints.isEmpty)
        #expect(finding.glances > 100 * runs && finding.maps >= 3, "\(finding)")
        try Self.checkContainers(workspace.file("out"))
        #expect(try await workspace.run("verify", "manifest.yaml").code == 0)
    }

    private static func manifest(_ night: Int) -> String {
        Workspace.water(areas: 2, extra: "limits: { attempts: 3, inactivityTimeout: 5 s }")
            .replacing("xmin: -88.160", with: "xmin: \(-88.160 - Double(night) * 0.0001)")
            .replacing("xmin: -88.150", with: "xmin: \(-88.150 - Double(night) * 0.0001)")
    }

    /// By the bytes themselves, and not by an inventory: no error under the name of a file.
    private static func checkContainers(_ output: String) throws {
        let heads = ["geodatabase": "SQLite format 3", "tpkx": "PK", "vtpk": "PK"]
        var seen: Set<String> = []
        for path in FileManager.default.enumerator(atPath: output)?.compactMap({ $0 as? String }) ?? [] {
            guard !path.hasPrefix(".state"), let head = heads[(path as NSString).pathExtension] else { continue }
            let bytes = try Files.read("\(output)/\(path)").prefix(head.utf8.count)
            #expect(String(decoding: bytes, as: UTF8.self) == head, "\(path)")
            seen.insert((path as NSString).pathExtension)
        }
        #expect(seen.count == heads.count, "\(seen)")
    }
}
