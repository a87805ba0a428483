import Basics
import Foundation
import TestSupport
import Testing

@testable import Transport

/// The error that the work throws; nil when it does not.
func failure<Value>(_ work: () async throws(TransportError) -> Value) async -> TransportError? {
    do throws(TransportError) {
        _ = try await work()
        return nil
    } catch {
        return error
    }
}

@Suite struct CurlTransportTests {
    @Test func sendsWhatWasAskedAndReadsTheAnswer() async throws {
        let server = try ScriptedServer { _ in .reply(404, ["X-A: 1", "x-a:  2 "], "größe") }
        let transport = CurlTransport()
        let response = try await transport.send(
            HTTPRequest(
                method: .post, url: server.url("/a?b=c"), headers: [HTTPHeader("X-Empty", ""), HTTPHeader("X-Name", "v")],
                body: Array("f=json".utf8)))
        #expect(response.status == 404)
        #expect(String(decoding: response.body, as: UTF8.self) == "größe")
        #expect(response.headers["X-A"] == "2")
        #expect(response.url == server.url("/a?b=c"))
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.target == "/a?b=c" && request.body == "f=json")
        #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
        #expect(request.headers["user-agent"] == "offline-batch/0.1")
        #expect(request.headers["x-empty"] == "" && request.headers["x-name"] == "v")
        #expect(request.headers["expect"] == nil)
        #expect(request.headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test func emptyPostAndHead() async throws {
        let server = try ScriptedServer {
            $0.method == "HEAD" ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")] : .reply()
        }
        let transport = CurlTransport()
        #expect(try await transport.send(HTTPRequest(method: .post, url: server.url("/"))).status == 200)
        #expect(server.requests[0].headers["content-length"] == "0")
        #expect(try await transport.send(HTTPRequest(method: .head, url: server.url("/"))).body.isEmpty)
    }

    @Test func headersCannotBeSmuggledIn() async throws {
        let server = try ScriptedServer { _ in .reply() }
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(url: server.url("/"), headers: [HTTPHeader("X-A", "1\r\nX-Evil: 2")]))
        #expect(server.requests[0].headers["x-evil"] == nil)
    }

    @Test func readsCompressedBodies() async throws {
        // gzip of "hello\n", made by gzip -n.
        let gzip: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 2, 0, 0x20, 0x30, 0x3A, 0x36, 6, 0, 0, 0,
        ]
        let server = try ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n"), .bytes(gzip)]
        }
        let response = try await CurlTransport().send(HTTPRequest(url: server.url("/")))
        #expect(String(decoding: response.body, as: UTF8.self) == "hello\n")
    }

    @Test func keepsConnectionsForReadsAndTakesFreshOnesForSubmissions() async throws {
        let server = try ScriptedServer { _ in .reply(200, [], "x") }
        let transport = CurlTransport()
        for _ in 0..<5 { _ = try await transport.send(HTTPRequest(url: server.url("/"))) }
        #expect(server.connections == 1)
        _ = try await transport.send(HTTPRequest(method: .post, url: server.url("/"), isIdempotent: true))
        #expect(server.connections == 1)
        _ = try await transport.send(HTTPRequest(method: .post, url: server.url("/")))
        #expect(server.connections == 2)
    }

    /// The only place at the host is held by an idle connection, which has to make room.
    @Test func aSubmissionFindsAPlaceBesideIdleConnections() async throws {
        let server = try ScriptedServer { _ in .reply() }
        let transport = CurlTransport(configuration: CurlConfiguration(connectionsPerHost: 1))
        let timeouts = Timeouts(inactivity: .seconds(5), total: .seconds(5))
        for method in [HTTPRequest.Method.get, .post, .get, .post] {
            let request = HTTPRequest(method: method, url: server.url("/"), timeouts: timeouts)
            #expect(try await transport.send(request).status == 200)
        }
    }

    @Test func neverMoreThanTheCapAtOneHost() async throws {
        let server = try ScriptedServer { _ in [.pause(milliseconds: 30)] + .reply(200, [], "x") }
        let transport = CurlTransport(configuration: CurlConfiguration(connectionsPerHost: 3))
        let done = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<12 { group.addTask { (try? await transport.send(HTTPRequest(url: server.url("/"))))?.status == 200 } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(done == 12)
        #expect(server.mostBusy == 3)
        #expect(server.connections <= 3)
    }

    @Test func cancellingEndsTheExchangeAtTheServer() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        let transport = CurlTransport()
        let task = Task {
            await failure { () throws(TransportError) in try await transport.send(HTTPRequest(url: server.url("/"))) }
        }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        while server.goneWhileHolding == 0 { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test func cancelledInLineGivesTheTurnOn() async throws {
        let server = try ScriptedServer { $0.target == "/first" ? [.pause(milliseconds: 100)] + .reply() : .reply() }
        let transport = CurlTransport(configuration: CurlConfiguration(connectionsPerHost: 1))
        let first = Task { try? await transport.send(HTTPRequest(url: server.url("/first"))).status }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        let second = Task {
            await failure { () throws(TransportError) in try await transport.send(HTTPRequest(url: server.url("/second"))) }
        }
        let third = Task { try? await transport.send(HTTPRequest(url: server.url("/third"))).status }
        second.cancel()
        #expect(await second.value?.kind == .cancelled)
        #expect(await first.value == 200)
        #expect(await third.value == 200)
        #expect(!server.requests.contains { $0.target == "/second" })
    }

    @Test func cancelledBeforehandSendsNothing() async throws {
        let server = try ScriptedServer { _ in .reply() }
        let transport = CurlTransport()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await failure { () throws(TransportError) in try await transport.send(HTTPRequest(url: server.url("/"))) }
        }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        #expect(server.requests.isEmpty)
    }

    /// Whatever moment the cancellation hits (before the inbox, in it, in line, on the wire, at the end), every task ends once and
    /// no place at the host is lost.
    @Test func cancellingAtAnyMomentLosesNothing() async throws {
        let server = try ScriptedServer { $0.target == "/3" ? [.hold] : [.pause(milliseconds: 2)] + .reply() }
        let transport = CurlTransport(configuration: CurlConfiguration(connectionsPerHost: 4))
        let tasks = (0..<120).map { number in
            Task {
                await failure { () throws(TransportError) in
                    try await transport.send(HTTPRequest(url: server.url("/\(number % 4)")))
                }
            }
        }
        for (number, task) in tasks.enumerated() where number % 4 != 0 {
            if number % 7 == 0 { try await Task.sleep(for: .milliseconds(1)) }
            task.cancel()
        }
        for (number, task) in tasks.enumerated() {
            let kind = await task.value?.kind
            #expect(kind == nil || kind == .cancelled)
            if number % 4 == 0 { #expect(kind == nil) }
            if number % 4 == 3 { #expect(kind == .cancelled) }
        }
        #expect(try await transport.send(HTTPRequest(url: server.url("/"))).status == 200)
    }

    @Test func shutdownEndsEverything() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        let transport = CurlTransport()
        let task = Task {
            await failure { () throws(TransportError) in try await transport.send(HTTPRequest(url: server.url("/"))) }
        }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        transport.shutdown()
        #expect(await task.value?.kind == .cancelled)
        #expect(
            await failure { () throws(TransportError) in try await transport.send(HTTPRequest(url: server.url("/"))) }?.kind
                == .cancelled)
    }

    @Test func silenceIsInactivity() async throws {
        let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .hold] }
        let request = HTTPRequest(url: server.url("/"), timeouts: Timeouts(inactivity: .milliseconds(150)))
        #expect(await failure { () throws(TransportError) in try await CurlTransport().send(request) }?.kind == .inactivity)
    }

    /// Twelve bytes, one each 80 ms: longer than the limit in all, never silent that long.
    @Test func slowButMovingIsNotCut() async throws {
        let server = try ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n")]
                + (0..<12).flatMap { _ in [.pause(milliseconds: 80), .send("x")] }
        }
        let request = HTTPRequest(url: server.url("/"), timeouts: Timeouts(inactivity: .milliseconds(700)))
        #expect(try await CurlTransport().send(request).body.count == 12)
    }

    @Test func theTotalIsALimitOfItsOwn() async throws {
        let server = try ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")]
                + (0..<100).flatMap { _ in [.pause(milliseconds: 20), .send("x")] }
        }
        let request = HTTPRequest(url: server.url("/"), timeouts: Timeouts(total: .milliseconds(150)))
        #expect(await failure { () throws(TransportError) in try await CurlTransport().send(request) }?.kind == .timeout)
    }

    /// A byte now and then is no silence; without a limit of its own it would go on for ever.
    @Test func whatComesIntoMemoryHasAnEnd() async throws {
        let server = try ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\n\r\n")] + (0..<300).flatMap { _ in [.pause(milliseconds: 50), .send(" ")] }
        }
        let request = HTTPRequest(url: server.url("/"), timeouts: Timeouts(inactivity: .milliseconds(200)))
        let began = ContinuousClock.now
        #expect(await failure { () throws(TransportError) in try await CurlTransport().send(request) }?.kind == .timeout)
        #expect(began.duration(to: .now) >= .seconds(2))
    }

    @Test func waitingInLineIsNotSilence() async throws {
        let server = try ScriptedServer { _ in [.pause(milliseconds: 150)] + .reply() }
        let transport = CurlTransport(configuration: CurlConfiguration(connectionsPerHost: 1))
        let timeouts = Timeouts(inactivity: .milliseconds(700), total: .milliseconds(700))
        let done = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<7 {
                group.addTask { (try? await transport.send(HTTPRequest(url: server.url("/"), timeouts: timeouts))) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(done == 7)
    }

    @Test func failuresToConnectAreTold() async throws {
        let port = try ScriptedServer { _ in .reply() }.port
        let transport = CurlTransport()
        // The server is gone again.
        let refused = await failure { () throws(TransportError) in
            try await transport.send(HTTPRequest(url: "http://user:secret@127.0.0.1:\(port)/x?token=abc"))
        }
        #expect(refused?.kind == .connect)
        #expect(refused?.url == "http://127.0.0.1:\(port)/x")
        #expect(refused.map { "\($0)".contains("secret") || "\($0)".contains("abc") } == false)
        let unknown = await failure { () throws(TransportError) in
            try await transport.send(HTTPRequest(url: "http://nowhere.invalid/"))
        }
        #expect(unknown?.kind == .nameResolution)
        for url in ["ftp://127.0.0.1/", "file:///etc/passwd", "/relative", "http://", ""] {
            #expect(
                await failure { () throws(TransportError) in try await transport.send(HTTPRequest(url: url)) }?.kind == .badURL)
        }
        let plain = try ScriptedServer(greeting: "This is not TLS.\r\n") { _ in [.close] }
        let tls = await failure { () throws(TransportError) in
            try await transport.send(HTTPRequest(url: "https://127.0.0.1:\(plain.port)/"))
        }
        #expect(tls?.kind == .tls)
    }

    /// The server takes the connection and then says nothing: the TLS handshake belongs to connecting.
    @Test func connectingHasALimitOfItsOwn() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        let request = HTTPRequest(
            url: "https://127.0.0.1:\(server.port)/", timeouts: Timeouts(connect: .milliseconds(100), inactivity: .seconds(60)))
        #expect(await failure { () throws(TransportError) in try await CurlTransport().send(request) }?.kind == .connect)
    }

    @Test("heads without end, and bodies that unpack without end, are given up", arguments: ["head", "notices", "gzip"])
    func answersWithoutMeasure(kind: String) async throws {
        let megabyte = String(repeating: "x", count: 1 << 20)
        let bomb = try Self.bomb()
        let server = try ScriptedServer { _ in
            switch kind {
            case "head":
                [.send("HTTP/1.1 200 OK\r\n")]
                    + (0..<100).map { .send("X-\($0): " + megabyte.prefix(50_000) + "\r\n") } + [.hold]
            // Each begins a new head.
            case "notices":
                (0..<100).map { .send("HTTP/1.1 103 Early Hints\r\nX-\($0): " + megabyte.prefix(50_000) + "\r\n\r\n") } + [.hold]
            default:
                [.send("HTTP/1.1 200 OK\r\nContent-Encoding: \(kind)\r\nConnection: close\r\n\r\n"), .bytes(bomb), .close]
            }
        }
        let transport = CurlTransport(configuration: CurlConfiguration(maximumBodySize: 1 << 20))
        let error = await failure { () throws(TransportError) in
            try await transport.send(HTTPRequest(url: server.url("/"), timeouts: Timeouts(total: .seconds(120))))
        }
        #expect(error?.kind == .tooLarge, "\(error?.message ?? "nothing")")
        let limit = kind == "head" || kind == "notices" ? "262144" : "1048576"
        #expect(error?.message.contains(limit) == true)
    }

    /// A hundred million zeros in a hundred thousand bytes.
    private static func bomb() throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let made = try Command.run(
            "sh", ["-c", "head -c 100000000 /dev/zero | gzip -9 > '\(folder.file("bomb"))'"])
        try #require(made.status == 0, "\(made.errors)")
        return try Files.read(folder.file("bomb"))
    }

    @Test func brokenAnswersAreTold() async throws {
        let server = try ScriptedServer { request in
            switch request.target {
            case "/nothing": [.close]
            case "/short": [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .close]
            case "/chunk": [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"), .close]
            default: .reply(200, [], String(repeating: "x", count: 2000))
            }
        }
        let transport = CurlTransport(configuration: CurlConfiguration(maximumBodySize: 1999))
        for target in ["/nothing", "/short", "/chunk"] {
            let error = await failure { () throws(TransportError) in
                try await transport.send(HTTPRequest(url: server.url(target)))
            }
            #expect(error?.kind == .closedEarly)
        }
        let large = await failure { () throws(TransportError) in try await transport.send(HTTPRequest(url: server.url("/large")))
        }
        #expect(large?.kind == .tooLarge && large?.systemCode == nil)
    }
}
