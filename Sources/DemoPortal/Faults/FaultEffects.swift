import Basics

/// What fault rules do to an answer.
enum FaultEffects {
    /// An answer that takes the place of the real one; nil when the request is to be handled.
    static func replacement(_ actions: [FaultRule.Action]) -> Response? {
        for action in actions {
            switch action {
            case .status(let status, let retryAfter):
                let page = "<html><head><title>\(status)</title></head><body><h1>\(status)</h1></body></html>"
                return adding(retryAfter, to: .html(page, status: status))
            case .jsonError(let code, let message, let details, let retryAfter):
                let error = RESTError(code: code, message: message, details: details)
                return adding(retryAfter, to: .json(Array(error.json.serialized().utf8)))
            case .html(let text): return .html(text)
            case .redirect(let target):
                var response = Response(status: 302)
                response.headers.append(("Location", target))
                return response
            default: continue
            }
        }
        return nil
    }

    /// Damage to the bytes, and time.
    static func apply(_ actions: [FaultRule.Action], to response: Response, of request: Request) -> Response {
        var response = response
        for action in actions {
            switch action {
            case .delay(let seconds): response.delay += seconds
            case .cutAfter(let bytes): response.cutAfter = bytes
            case .wrongLength(let length): response.announcedLength = length
            case .truncateFile(let bytes): response.body = .bytes(Array(content(response).prefix(bytes)))
            case .replaceFile(let kind): replace(kind, &response)
            case .rewrite(let words): rewrite(words, token: AccessControl.token(of: request) ?? "", &response)
            case .bytesPerSecond(let rate): response.bytesPerSecond = rate
            default: continue
            }
        }
        return response
    }

    static func jobFault(_ actions: [FaultRule.Action]) -> JobTable.Fault? {
        actions.lazy.compactMap { if case .job(let fault) = $0 { fault } else { nil } }.first
    }

    private static func content(_ response: Response) -> [UInt8] {
        switch response.body {
        case .bytes(let bytes): bytes
        case .file(let path): (try? Files.read(path)) ?? []
        }
    }

    private static func replace(_ kind: FaultRule.Replacement, _ response: inout Response) {
        switch kind {
        case .html: response = .html("<html><head><title>Sign in</title></head><body>Please sign in.</body></html>")
        case .json:
            let error = RESTError(code: 500, message: "An unexpected error occurred processing the request.")
            response = .json(Array(error.json.serialized().utf8))
        case .garbage:
            let size = max(64, content(response).count)
            response.body = .bytes((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
        case .empty: response.body = .bytes([])
        }
    }

    /// In what is text: JSON, pages and headers.
    private static func rewrite(_ words: [String: String], token: String, _ response: inout Response) {
        func rewritten(_ text: String) -> String {
            words.sorted { $0.key < $1.key }.reduce(text) {
                $0.replacing($1.key, with: $1.value.replacing("{token}", with: token))
            }
        }
        if case .bytes(let bytes) = response.body, let text = String(validating: bytes, as: UTF8.self) {
            response.body = .bytes(Array(rewritten(text).utf8))
        }
        response.headers = response.headers.map { ($0.name, rewritten($0.value)) }
    }

    private static func adding(_ retryAfter: String?, to response: Response) -> Response {
        var response = response
        if let retryAfter { response.headers.append(("Retry-After", retryAfter)) }
        return response
    }
}
