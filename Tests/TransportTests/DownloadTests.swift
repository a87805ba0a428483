import Basics
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Transport

@Suite struct DownloadTests {
    private let folder: TemporaryFolder
    private let path: String
    private static let content = String((0..<5000).map { Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0 % 26))) })

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("file")
    }

    private func download(
        _ server: ScriptedServer, target: String = "/"
    ) async throws(TransportError) -> DownloadOutcome {
        try await CurlTransport().download(
            HTTPRequest(url: server.url(target)), to: DownloadTarget(path: path), progress: { _ in })
    }

    private func file() throws -> String { String(decoding: try Files.read(path), as: UTF8.self) }

    /// An earlier try left these bytes.
    private func write(_ text: some StringProtocol, _ record: PartialRecord? = PartialRecord(validator: "\"v1\"")) throws {
        try Files.writeAtomically(Array(text.utf8), to: path)
        if let record { try Files.writeAtomically(Array(record.text.utf8), to: path + ".record") }
    }

    private func record() throws -> PartialRecord? { try PartialRecord.read(path + ".record") }

    private static func rest(from start: Int, of text: String = content, etag: String = "\"v1\"") -> [ScriptedServer.Step] {
        .reply(
            206, ["Content-Range: bytes \(start)-\(text.count - 1)/\(text.count)", "ETag: \(etag)"], String(text.dropFirst(start))
        )
    }

    @Test func streamsAndHashes() async throws {
        let server = try ScriptedServer { _ in .reply(200, ["ETag: \"v1\""], Self.content) }
        let sizes = Mutex<[Int]>([])
        let outcome = try await CurlTransport().download(
            HTTPRequest(url: server.url("/")), to: DownloadTarget(path: path),
            progress: { size in sizes.withLock { $0.append(size) } })
        guard case .file(let response) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(response.size == 5000 && response.transferred == 5000 && response.status == 200)
        #expect(response.sha256 == SHA256.hex(of: Self.content))
        #expect(response.validator == "\"v1\"")
        #expect(try file() == Self.content)
        #expect(sizes.withLock { $0.last } == 5000)
        let request = server.requests[0]
        #expect(request.headers["accept-encoding"] == "identity")
        #expect(request.headers["range"] == nil && request.headers["if-range"] == nil)
    }

    @Test func goesOnBehindTheBytesThatAreThere() async throws {
        let server = try ScriptedServer { _ in Self.rest(from: 1000) }
        try write(Self.content.prefix(1000))
        guard case .file(let response) = try await download(server) else {
            Issue.record("no file")
            return
        }
        #expect(server.requests[0].headers["range"] == "bytes=1000-")
        #expect(server.requests[0].headers["if-range"] == "\"v1\"")
        #expect(response.size == 5000 && response.transferred == 4000 && response.status == 206)
        #expect(response.sha256 == SHA256.hex(of: Self.content))
        #expect(try file() == Self.content)
    }

    @Test func aChangedFileComesWhole() async throws {
        let new = String(repeating: "z", count: 300)
        let server = try ScriptedServer { _ in .reply(200, ["ETag: \"v2\""], new) }
        try write(Self.content.prefix(1000))
        guard case .file(let response) = try await download(server) else {
            Issue.record("no file")
            return
        }
        #expect(try file() == new)
        #expect(response.sha256 == SHA256.hex(of: new))
        #expect(response.size == 300 && response.transferred == 300 && response.validator == "\"v2\"")
    }

    /// The process was killed between the last byte and the note that it was the last.
    @Test func aFileThatIsWholeAlreadyIsNotFetchedAgain() async throws {
        let server = try ScriptedServer { _ in
            [.send("HTTP/1.1 416 Range\r\nContent-Range: bytes */1000\r\nContent-Length: 0\r\n\r\n")]
        }
        try write(Self.content.prefix(1000))
        guard case .file(let response) = try await download(server) else {
            Issue.record("no file")
            return
        }
        #expect(response.sha256 == SHA256.hex(of: String(Self.content.prefix(1000))))
        #expect(response.size == 1000 && response.transferred == 0 && response.validator == "\"v1\"")
    }

    @Test(arguments: [
        ["HTTP/1.1 416 Range", "Content-Range: bytes */900"], ["HTTP/1.1 206 Part", "Content-Range: bytes 0-4/5000"],
        ["HTTP/1.1 206 Part"],
    ])
    func aUselessAnswerToTheRangeStartsAgainOnce(head: [String]) async throws {
        let server = try ScriptedServer { request in
            request.headers["range"] == nil
                ? .reply(200, [], Self.content) : [.send((head + ["Content-Length: 5", "", "abcde"]).joined(separator: "\r\n"))]
        }
        try write(Self.content.prefix(1000))
        guard case .file(let response) = try await download(server) else {
            Issue.record("no file")
            return
        }
        #expect(try file() == Self.content)
        #expect(response.sha256 == SHA256.hex(of: Self.content))
        #expect(server.requests.count == 2)
    }

    @Test func withoutValidatorOrBytesNothingIsResumed() async throws {
        let server = try ScriptedServer { _ in .reply(200, [], "new") }
        try write("old bytes", nil)
        _ = try await download(server)
        #expect(try file() == "new")
        try Files.remove(path)
        try Files.writeAtomically(Array(PartialRecord(validator: "\"v1\"").text.utf8), to: path + ".record")
        _ = try await download(server)
        #expect(try file() == "new")
        // The old record must not stand beside bytes of another version.
        #expect(try record() == nil)
        #expect(server.requests.allSatisfy { $0.headers["range"] == nil })
    }

    @Test func aCutDownloadKeepsItsBytesAndTellsTheirValidator() async throws {
        let server = try ScriptedServer { request in
            request.headers["range"] == nil
                ? [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nETag: \"v1\"\r\n\r\n" + Self.content.prefix(1234)),
                    .close,
                ] : Self.rest(from: 1234)
        }
        let error = await failure { () throws(TransportError) in try await download(server) }
        #expect(error?.kind == .closedEarly)
        #expect(try file() == Self.content.prefix(1234))
        #expect(try record()?.validator == "\"v1\"")
        _ = try await download(server)
        #expect(try file() == Self.content)
    }

    @Test func retriesResume() async throws {
        let server = try ScriptedServer { request in
            request.headers["range"] == nil
                ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nETag: \"v1\"\r\n\r\n" + Self.content.prefix(4000)), .close]
                : Self.rest(from: 4000)
        }
        let transport = RetryingTransport(CurlTransport(), sleep: { _ in })
        let outcome = try await transport.download(
            HTTPRequest(url: server.url("/")), to: DownloadTarget(path: path), progress: { _ in })
        guard case .file(let response) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(response.transferred == 1000 && response.sha256 == SHA256.hex(of: Self.content))
        #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=4000-"])
    }

    @Test func weakTagsAndDatesAsValidators() async throws {
        let server = try ScriptedServer { request in
            request.target == "/weak"
                ? .reply(200, ["ETag: W/\"v1\"", "Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT"], "x")
                : .reply(200, ["Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT"], "x")
        }
        for (target, expected) in [("/weak", nil), ("/dated", "Wed, 21 Oct 2015 07:28:00 GMT")] {
            guard case .file(let response) = try await download(server, target: target) else {
                Issue.record("no file")
                continue
            }
            #expect(response.validator == expected)
        }
    }

    @Test func aPartThatEndsTooEarlyIsNotAFile() async throws {
        let server = try ScriptedServer { _ in
            .reply(206, ["Content-Range: bytes 1000-1999/5000"], String(Self.content.dropFirst(1000).prefix(1000)))
        }
        try write(Self.content.prefix(1000))
        let error = await failure { () throws(TransportError) in try await download(server) }
        #expect(error?.kind == .closedEarly)
        #expect(try record()?.validator == "\"v1\"")
        #expect(try Files.size(path) == 2000)
    }

    @Test func errorPagesLeaveTheFileAlone() async throws {
        let server = try ScriptedServer { _ in .reply(503, ["Retry-After: 3"], String(repeating: "sorry ", count: 400_000)) }
        try write("precious")
        let before = try record()
        guard case .response(let response) = try await download(server) else {
            Issue.record("a file?")
            return
        }
        #expect(response.status == 503 && response.body.count == 1 << 20 && response.headers["Retry-After"] == "3")
        #expect(try file() == "precious")
        #expect(try record() == before)
    }

    /// The power went: what was not flushed may be zeros now.
    @Test func onlyFlushedBytesOutliveTheMachine() async throws {
        let server = try ScriptedServer { _ in Self.rest(from: 1000) }
        try write(
            Self.content.prefix(1000) + String(repeating: "\0", count: 500),
            PartialRecord(validator: "\"v1\"", flushed: 1000, boot: "another-life-of-this-machine"))
        guard case .file(let response) = try await download(server) else {
            Issue.record("no file")
            return
        }
        #expect(server.requests[0].headers["range"] == "bytes=1000-")
        #expect(response.sha256 == SHA256.hex(of: Self.content))
        #expect(try file() == Self.content)
        #expect(try record() == PartialRecord(validator: "\"v1\"", flushed: 5000))
    }

    @Test func aWholeFileIsFlushedAndItsRecordSaysSo() async throws {
        let server = try ScriptedServer { _ in .reply(200, ["ETag: \"v1\""], Self.content) }
        _ = try await download(server)
        #expect(try record() == PartialRecord(validator: "\"v1\"", flushed: 5000))
    }

    /// Also when nothing else comes, and however few they are.
    @Test func flushesOnTheWay() async throws {
        let server = try ScriptedServer { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 120000\r\nETag: \"v1\"\r\n\r\n"),
                .bytes([UInt8](repeating: 7, count: 80_000)), .pause(milliseconds: 100), .bytes([7]), .hold,
            ]
        }
        let running = Task { try await download(server) }
        for _ in 0..<3000 where try record()?.flushed != 80_001 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try record()?.flushed == 80_001)
        running.cancel()
        _ = await running.result
        #expect(try Files.size(path) == 80_001)
    }

    /// The kernel tells once that bytes did not reach the disk; they must not be taken for safe afterwards.
    @Test func aFlushThatFailsIsTold() async throws {
        // It takes every byte and cannot be flushed (EINVAL).
        let error = await failure { () throws(TransportError) in try await download(to: "/proc/thread-self/comm") }
        #expect(error?.kind == .localStorage && error?.systemCode == EINVAL)
    }

    @Test func emptyFilesAreFiles() async throws {
        let server = try ScriptedServer { _ in .reply(200, [], "") }
        guard case .file(let response) = try await download(server) else {
            Issue.record("no file")
            return
        }
        #expect(response.size == 0 && response.sha256 == SHA256.hex(of: ""))
        #expect(Files.exists(path))
    }

    @Test func redirectsOfDownloadsAreFollowedWithTheRange() async throws {
        let storage = try ScriptedServer { _ in Self.rest(from: 1000) }
        let port = storage.port
        let server = try ScriptedServer { _ in .reply(302, ["Location: http://127.0.0.1:\(port)/signed?sig=1"], "moved") }
        try write(Self.content.prefix(1000))
        guard case .file(let response) = try await download(server) else {
            Issue.record("no file")
            return
        }
        #expect(response.url == storage.url("/signed?sig=1"))
        #expect(try file() == Self.content)
    }

    @Test func aWriteThatFailsIsToldWithItsCode() async throws {
        // It takes a number and nothing else (EINVAL).
        let error = await failure { () throws(TransportError) in try await download(to: "/proc/self/oom_score_adj") }
        #expect(error?.kind == .localStorage && error?.systemCode == EINVAL)
    }

    /// Without its length, or the answer would be refused for want of room.
    private func download(to path: String) async throws(TransportError) -> DownloadOutcome {
        let server = try? ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\n\r\n" + Self.content), .close] }
        return try await CurlTransport().download(
            HTTPRequest(url: server?.url("/") ?? ""), to: DownloadTarget(path: path), progress: { _ in })
    }

    @Test(arguments: ["", ".record"])
    func aPipeInThePlaceOfAFileIsNotWaitedFor(ending: String) async throws {
        #expect(mkfifo(path + ending, 0o600) == 0)
        if !ending.isEmpty { try Files.writeAtomically(Array(Self.content.utf8), to: path) }
        let server = try ScriptedServer { _ in .reply(200, ["ETag: \"v1\""], Self.content) }
        let error = await failure { () throws(TransportError) in try await download(server) }
        #expect(error?.kind == .localStorage && error?.systemCode == SystemError.notAFile, "\(String(describing: error))")
    }

    @Test func aLinkInThePlaceOfTheFileIsNotFollowed() async throws {
        try Files.writeAtomically(Array("precious".utf8), to: folder.file("precious"))
        symlink(folder.file("precious"), path)
        let server = try ScriptedServer { _ in .reply(200, [], Self.content) }
        let error = await failure { () throws(TransportError) in
            try await CurlTransport().download(
                HTTPRequest(url: server.url("/")), to: DownloadTarget(path: path), progress: { _ in })
        }
        #expect(error?.kind == .localStorage && error?.systemCode == ELOOP)
        #expect(try Files.read(folder.file("precious")) == Array("precious".utf8))
    }

    @Test func aFolderThatIsNotThereIsTold() async throws {
        let server = try ScriptedServer { _ in .reply(200, [], "") }
        let error = await failure { () throws(TransportError) in
            try await CurlTransport().download(
                HTTPRequest(url: server.url("/")), to: DownloadTarget(path: folder.file("no/where")), progress: { _ in })
        }
        #expect(error?.kind == .localStorage && error?.systemCode == ENOENT)
    }
}
