import ArcGIS
import Basics
import Planning
import TestSupport
import Testing
import Transport

@testable import Execution

/// A style is text of a stranger: what it makes us fetch has bounds.
@Suite struct StyleDownloadTests {
    private struct Server: HTTPTransport {
        var style: JSON
        var file: [UInt8]

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            let isStyle = request.url.contains("root.json")
            return HTTPResponse(status: 200, body: isStyle ? Array(style.serialized().utf8) : file, url: request.url)
        }

        func download(
            _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
        ) async throws(TransportError) -> DownloadOutcome { .response(try await send(request)) }
    }

    private func copy(fonts: Int, bytes: Int, limit: Int) async throws(Failure) -> StyleDownload.Copy {
        let layers = (0..<fonts).map { ["layout": ["text-font": [.string("Font \($0)")]]] as JSON }
        let server = Server(
            style: ["glyphs": "https://h/fonts/{fontstack}/{range}.pbf", "layers": .array(layers)],
            file: [UInt8](repeating: 7, count: bytes))
        let client = ArcGISClient(transport: server, portal: "https://h/portal", credentials: CredentialStore(.none))
        return try await StyleDownload(client: client, maximumBytes: limit)(
            StyleWork(styleURL: "https://h/styles/root.json", serviceURL: "https://h/rest/services/V/VectorTileServer"))
    }

    @Test func aStyleWithinItsBoundsIsCopied() async throws {
        // Two fonts of seven ranges each, the style itself and the list of the files.
        #expect(try await copy(fonts: 2, bytes: 100, limit: 1400).files.count == 16)
    }

    @Test(arguments: [
        (2, 100, 1399, "the files of the style have more than 1399 bytes"),
        (715, 1, 1 << 20, "the style asks for 5005 files, and 5000 are the most that are fetched"),
    ])
    func aStyleBeyondThemIsRefused(fonts: Int, bytes: Int, limit: Int, words: String) async {
        do throws(Failure) {
            _ = try await copy(fonts: fonts, bytes: bytes, limit: limit)
            Issue.record("it was copied")
        } catch {
            #expect(error.message == words && error.kind == .permanent)
        }
    }
}
