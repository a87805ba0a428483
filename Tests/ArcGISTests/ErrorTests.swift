import Basics
import TestSupport
import Testing
import Transport

@testable import ArcGIS

/// One recorded error body, and what must be read from it.
struct RecordedError: Sendable {
    var file: String
    var code: Int?
    var message: String
    var details: [String] = []
    var isTransient = false
    var isAuthentication = false
    var isDenied = false
    var isMissing = false
}

@Suite("Errors")
struct ErrorTests {
    static let recorded: [RecordedError] = [
        RecordedError(file: "access-not-allowed-403.json", code: 403, message: "Access not allowed request", isDenied: true),
        RecordedError(
            file: "add-definition-null-reference.json", code: 400, message: "Unable to add feature service definition.",
            details: ["Object reference not set to an instance of an object."]),
        RecordedError(
            file: "cont-0036-item-info-file.json", code: 400, message: "Item info file does not exist or is inaccessible.",
            details: ["Error getting Item Info from DataStore"]),
        RecordedError(
            file: "doc-sample-extendedcode-rollback.json", code: 400, message: "Unable to complete operation.",
            details: ["Violated attribute constraint rule. [Error No: -1, ]", "Operation rolled back."]),
        RecordedError(file: "featureservice-secured.json", code: 499, message: "Token Required", isAuthentication: true),
        RecordedError(file: "featureservice-statsfail.json", code: 400, message: "Invalid or missing input parameters."),
        RecordedError(
            file: "generate-token-invalid-credentials.json", code: 400, message: "Unable to generate token.",
            details: ["Invalid username or password."], isAuthentication: true),
        RecordedError(
            file: "geoadmin-profile-too-big.json", code: 413,
            message: "Request Geometry contains too many points. Maximum number of points allowed: 123, found 456"),
        RecordedError(
            file: "geotools-error.json", code: 400, message: "Cannot perform query. Invalid query parameters.",
            details: ["Unable to perform query. Please check your parameters.", "No where clause specified."]),
        RecordedError(file: "imageserver-past-last-item.json", code: 400, message: "Unable to complete operation."),
        RecordedError(file: "invalid-client-id-oauth.json", code: 400, message: "Invalid client_id"),
        RecordedError(file: "invalid-token-498-empty-details.json", code: 498, message: "Invalid token.", isAuthentication: true),
        RecordedError(file: "item-has-no-file-500.json", code: 500, message: "Item does not have a file.", isTransient: true),
        RecordedError(
            file: "item-not-found-cont-0001.json", code: 400, message: "Item does not exist or is inaccessible.", isMissing: true),
        RecordedError(
            file: "item-or-group-inaccessible.json", code: 400,
            message: "Item or group does not exist or is inaccessible: fail1234567890",
            details: ["Item or group does not exist or is inaccessible: fail1234567890"]),
        RecordedError(file: "kent-statistics-failed.json", code: 400, message: "Unable to complete operation."),
        RecordedError(file: "koop-invalid-format.json", code: 400, message: "Invalid format"),
        RecordedError(file: "missing-parameters-no-details.json", code: 400, message: "Invalid or missing input parameters."),
        RecordedError(
            file: "refresh-token-expired-498.json", code: 498, message: "refresh_token expired", isAuthentication: true),
        RecordedError(
            file: "server-500.json", code: 500, message: "An error occurred.", details: ["An error occurred."], isTransient: true),
        RecordedError(
            file: "success-false-plus-error.json", code: 400, message: "Item does not exist or is inaccessible.", isMissing: true),
        RecordedError(file: "token-required-499-capital-r.json", code: 499, message: "Token Required", isAuthentication: true),
        RecordedError(
            file: "token-required-499-with-details.json", code: 499, message: "Token required.", details: ["Token required."],
            isAuthentication: true),
        RecordedError(
            file: "unable-to-generate-token.json", code: 400, message: "Unable to generate token.",
            details: ["Invalid username or password."]),
        RecordedError(file: "washington-probe-failed.json", code: 400, message: "Failed to execute query."),
        // A page with a token in it: nothing of the page but its title is kept.
        RecordedError(
            file: "generate-token-html-reply.html", code: nil, message: "ArcGIS REST Services Directory: Generate Token",
            isTransient: true),
    ]

    @Test("recorded error bodies", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"), arguments: recorded)
    func recordedErrors(_ expected: RecordedError) async throws {
        let body = try Files.read(SharedFiles.path("recorded/errors/" + expected.file))
        let (client, _) = client { _ in HTTPResponse(status: 200, body: body, url: "") }
        let error = try #require(await failure { () throws(ArcGISError) in try await client.json("https://h/x?token=SECRET") })
        #expect(error.code == expected.code)
        #expect(error.message == expected.message)
        #expect(error.details == expected.details)
        #expect(error.isTransient == expected.isTransient)
        #expect(error.isAuthentication == expected.isAuthentication)
        #expect(error.isDenied == expected.isDenied)
        #expect(error.isMissing == expected.isMissing)
        #expect(error.url == "https://h/x")
        let isHTML = expected.file.hasSuffix("html")
        let sniffed = ErrorBody.check(body, contentType: isHTML ? "text/html" : "application/json", url: "https://h/x")
        #expect(sniffed?.kind == error.kind)
        #expect(!"\(error)".contains("q1w2e3r4t5"))
    }

    @Test(
        "every recorded error file is in the table or is no error",
        .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func tableIsComplete() throws {
        let noErrors: Set<String> = [
            "count-as-text-plain.txt", "jsonp-wrapped-mapserver.jsonp", "mapserver-root-saved-as-latin-1.json.txt",
        ]
        let files = Set(try Files.list(SharedFiles.path("recorded/errors")))
        #expect(files == noErrors.union(Self.recorded.map(\.file)))
    }

    @Test(
        "envelopes without an error member",
        arguments: [
            (
                #"{"status":"error","messages":["Authorization failed","See log"],"code":499}"#, 499, "Authorization failed",
                ["See log"]
            ),
            (
                #"{"code":500,"message":"Error getting subscription info","status":"failure","details":null}"#, 500,
                "Error getting subscription info", []
            ),
            (#"{"code":200,"message":null,"status":"failure"}"#, 200, "", []),
            (#"{"status":"failed","statusMessage":"{\"code\":400,\"message\":\"No space\"}"}"#, 400, "No space", []),
            (#"{"status":"failed","statusMessage":"Stopped"}"#, nil, "Stopped", []),
            (#"{"error":"invalid_request","error_description":"Bad grant"}"#, nil, "Bad grant", []),
            (#"{"error":{"code":"498","message":"Invalid token.","details":"one text"}}"#, 498, "Invalid token.", ["one text"]),
            (#"{"error":{"message":"no code","details":null}}"#, nil, "no code", []),
            (#"{"success":false}"#, nil, "", []),
        ] as [(String, Int?, String, [String])])
    func shapes(_ body: String, _ code: Int?, _ message: String, _ details: [String]) async throws {
        let (client, _) = client { _ in .json(body) }
        let error = try #require(await failure { () throws(ArcGISError) in try await client.json("https://h/x") })
        #expect(error.code == code)
        #expect(error.message == message)
        #expect(error.details == details)
    }

    @Test(
        "answers that only look like errors",
        arguments: [#"{"error":null,"a":1}"#, #"{"error":false}"#, #"{"success":true}"#, "[]"])
    func noErrors(_ body: String) async throws {
        let (client, _) = client { _ in .json(body) }
        #expect(try await client.json("https://h/x") == JSON.parse(body))
    }

    @Test("HTTP statuses, pages and cut bodies")
    func transportShapes() async throws {
        func error(_ status: Int, _ body: String, _ headers: [HTTPHeader] = []) async throws -> ArcGISError {
            let (client, _) = client { _ in .json(body, status: status, headers: headers) }
            return try #require(await failure { () throws(ArcGISError) in try await client.json("https://h/x") })
        }
        let gateway = try await error(502, "<html><head><title>502 Bad\n Gateway</title></head></html>")
        #expect(gateway.kind == .httpStatus(title: "502 Bad Gateway"))
        #expect(gateway.code == 502 && gateway.isTransient)
        let portalPage = try await error(
            200, "<html><head><title>Error: Invalid token.</title></head><h3>Invalid token.</h3><br><b>Error: </b>498</html>")
        #expect(portalPage.code == 498 && portalPage.isAuthentication && !portalPage.isTransient)
        let inside = try await error(404, #"{"error":{"code":404,"message":"Layer not found"}}"#)
        #expect(inside.isMissing && inside.message == "Layer not found")
        let bare = try await error(403, "")
        #expect(bare.isDenied && !bare.isTransient)
        let cut = try await error(200, #"{"layers":[{"id":0,"#)
        #expect(cut.isTransient)
        guard case .notJSON(nil, nil, .some) = cut.kind else {
            Issue.record("\(cut)")
            return
        }
        let empty = try await error(200, "", [HTTPHeader("Retry-After", "7")])
        #expect(empty.retryAfter == .seconds(7) && empty.isTransient)
        let busy = try await error(503, "", [HTTPHeader("retry-after", "Mon, 12 Jan 1970 13:47:10 GMT")])
        // The clock of these tests stands at 1,000,000 s = 12 January 1970, 13:46:40.
        #expect(busy.retryAfter == .seconds(30))
        let limited = try await error(
            200,
            #"{"error":{"code":429,"message":"Unable to perform query. Too many requests.","details":["Try again in 60 sec."]}}"#)
        #expect(limited.retryAfter == .seconds(60) && limited.isTransient)
    }

    @Test("error bodies among downloads")
    func downloads() {
        #expect(ErrorBody.check(Array("SQLite format 3\0".utf8)) == nil)
        #expect(ErrorBody.check([0x50, 0x4B, 0x03, 0x04]) == nil)
        #expect(ErrorBody.check(Array(#"{"version":8,"layers":[]}"#.utf8)) == nil)
        #expect(ErrorBody.check(Array("<?xml version=\"1.0\"?><CacheInfo/>".utf8)) == nil)
        #expect(ErrorBody.check(Array(" {\"error\":{\"code\":498}}".utf8))?.isAuthentication == true)
        #expect(ErrorBody.check(Array("<!DOCTYPE html><title>Sign In</title>".utf8))?.message == "Sign In")
        #expect(ErrorBody.check([UInt8]())?.message == "an empty body")
    }
}
