import Basics

/// What goes over the wire.
struct Response: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// A file on disk; ranges and validators are answered for it.
        case file(String)
    }

    var status = 200
    var contentType = "text/plain;charset=UTF-8"
    var headers: [(name: String, value: String)] = []
    var body = Body.bytes([])
    /// Seconds before the answer is sent.
    var delay = 0.0
    /// The connection is closed after so many bytes of the body.
    var cutAfter: Int?
    /// The body goes out at this pace.
    var bytesPerSecond: Int?
    /// A `Content-Length` other than the true one.
    var announcedLength: Int?

    static func json(_ bytes: [UInt8], status: Int = 200) -> Response {
        Response(status: status, contentType: "application/json;charset=UTF-8", body: .bytes(bytes))
    }

    static func html(_ text: String, status: Int = 200) -> Response {
        Response(status: status, contentType: "text/html;charset=utf-8", body: .bytes(Array(text.utf8)))
    }

    static func data(_ bytes: [UInt8], _ contentType: String) -> Response {
        Response(contentType: contentType, body: .bytes(bytes))
    }
}

/// What a route gives, before the format (`f`) is applied.
enum Answer: Sendable {
    case json(JSON)
    /// Rendered once, sent often.
    case fixed(FixedJSON)
    case response(Response)
}

/// Static metadata with its bytes made beforehand.
struct FixedJSON: Sendable {
    let tree: JSON
    let compact: [UInt8]

    init(_ tree: JSON) {
        self.tree = tree
        compact = Array(tree.serialized().utf8)
    }
}

/// An ArcGIS error: a body, on HTTP 200 unless `status` says otherwise (REST reference 2.1).
struct RESTError: Error, Sendable, Hashable {
    var code: Int
    var message: String
    var messageCode: String?
    var details: [String] = []
    var status = 200
    /// The `error` and `error_description` members of OAuth answers.
    var oauth: String?

    var json: JSON {
        var error: JSON = ["code": JSON(code)]
        if let oauth {
            error["error"] = .string(oauth)
            error["error_description"] = .string(message)
        }
        if let messageCode { error["messageCode"] = .string(messageCode) }
        error["message"] = .string(message)
        error["details"] = .array(details.map(JSON.string))
        return ["error": error]
    }

    static func invalidParameters(_ details: String...) -> RESTError {
        RESTError(code: 400, message: "Invalid or missing input parameters.", details: details)
    }

    static func invalidQuery(_ details: String...) -> RESTError {
        RESTError(code: 400, message: "Cannot perform query. Invalid query parameters.", details: details)
    }

    static let invalidURL = RESTError(code: 400, message: "Invalid URL", details: ["Invalid URL"])
    static let itemMissing = RESTError(
        code: 400, message: "Item does not exist or is inaccessible.", messageCode: "CONT_0001")
    static let noPermission = RESTError(
        code: 403, message: "You do not have permissions to access this resource or perform this operation.",
        messageCode: "GWM_0003")
    static let invalidToken = RESTError(code: 498, message: "Invalid token.", details: ["Invalid token."])
    static let tokenRequired = RESTError(
        code: 499, message: "Token Required", messageCode: "GWM_0003", details: ["Token Required"])
    static func notFound(_ message: String = "The requested URL was not found.") -> RESTError {
        RESTError(code: 404, message: message, status: 404)
    }
}
