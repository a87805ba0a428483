import Basics
import Foundation
import TestSupport
import Testing

/// Thousands of requests of which most go wrong, made by a process of its own (`transport-endurance`) that does nothing else: what it
/// holds must not grow (cases J05).
@Suite(.serialized) struct EnduranceTests {
    private struct Holdings {
        var bytes: Int
        var descriptors: Int
        var threads: Int
        /// How the requests of a round ended.
        var outcomes: Set<String>

        init?(_ line: Substring) {
            let words = line.split(separator: " ").dropFirst().map(String.init)
            guard words.count >= 3, let bytes = Int(words[0]), let descriptors = Int(words[1]), let threads = Int(words[2])
            else { return nil }
            self.bytes = bytes
            self.descriptors = descriptors
            self.threads = threads
            outcomes = Set(words.dropFirst(3).map { String($0.prefix { $0 != ":" }) })
        }
    }

    private static let warmUp = 3
    private static let rounds = 9
    private static let requests = 504

    /// A request that leaves its smallest part behind would leave libcurl's buffer for error texts, `CURL_ERROR_SIZE` = 256 bytes.
    private static let limit = (rounds - warmUp) * requests * 256

    private static func script(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
        let body = String(repeating: "x", count: 4000)
        switch request.target {
        case "/redirects": return .reply(302, ["Location: /redirects/2"], body)
        case "/redirects/2": return .reply(307, ["Location: /ok"])
        case "/loop": return .reply(302, ["Location: /loop"])
        case "/reset": return [.reset]
        case "/cut", "/cutDownload": return [.send("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n\(body)"), .close]
        case "/chunk": return [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"), .close]
        case "/late", "/cancelled": return [.send("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n\(body)"), .hold]
        default: return .reply(200, [], body)
        }
    }

    private func run(leak: Int) async throws -> [Holdings] {
        let server = try ScriptedServer(Self.script)
        let folder = try TemporaryFolder()
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let words = [
            Paths.parent(program) + "/transport-endurance", server.url(""), String(Self.rounds), String(Self.requests),
            String(leak),
        ]
        let verdict = try await offPool {
            try Command.run(words[0], Array(words.dropFirst()), folder: folder.path)
        }
        try #require(verdict.status == 0, "\(verdict.errors)")
        let holdings = verdict.output.split(separator: "\n").compactMap { Holdings($0) }
        try #require(holdings.count == Self.rounds + 2, "\(verdict.output)")
        return holdings
    }

    private func growth(_ holdings: [Holdings]) -> Int { holdings[Self.rounds].bytes - holdings[Self.warmUp].bytes }

    @Test func neitherMemoryNorDescriptorsGrow() async throws {
        let holdings = try await run(leak: 0)
        #expect(growth(holdings) < Self.limit, "\(holdings.map(\.bytes))")
        // Every round met all that it was meant to meet.
        let expected: Set = [
            "ok=200", "post=200", "redirects=200", "loop=tooManyRedirects", "reset=closedEarly", "cut=closedEarly",
            "chunk=closedEarly", "late=timeout", "cancelled=cancelled", "refused=connect", "download=200",
            "cutDownload=closedEarly",
        ]
        for round in holdings[1...Self.rounds] { #expect(round.outcomes == expected) }
        // Connections that are kept for reuse are as many as there may be at once; at the end all are gone.
        for round in holdings[1...Self.rounds] { #expect(round.descriptors <= holdings[1].descriptors + 16) }
        #expect(holdings[Self.rounds + 1].descriptors <= holdings[0].descriptors + 3, "\(holdings.map(\.descriptors))")
        // A transport that is shut down takes its thread with it; the pool's own come by and by.
        let threads = holdings[Self.rounds].threads - holdings[Self.warmUp].threads
        #expect(threads < Self.rounds - Self.warmUp, "\(holdings.map(\.threads))")
    }

    /// The judge is no good if it does not notice.
    @Test func aLeakIsNoticed() async throws {
        #expect(growth(try await run(leak: 400)) > Self.limit)
    }
}
