import Basics
import Transport

/// Turns an HTTP answer into JSON or into the error it is (REST reference 2).
enum Answer {
    /// The answer's JSON, after the service's own error was ruled out.
    static func read(_ response: HTTPResponse, of url: String, now: Double) throws(ArcGISError) -> JSON {
        let json = try document(response, of: url, now: now)
        guard let kind = ErrorEnvelope.error(in: json) else { return json }
        throw error(kind, response, of: url, now: now)
    }

    /// The answer's JSON, whatever it says; an error only when there is no JSON or the status is not 2xx and nothing explains it.
    static func document(_ response: HTTPResponse, of url: String, now: Double) throws(ArcGISError) -> JSON {
        let succeeded = (200..<300).contains(response.status)
        if let page = HTMLPage(response.body) {
            if succeeded { throw error(.notJSON(title: page.title, code: page.code, syntax: nil), response, of: url, now: now) }
            throw error(.httpStatus(title: page.title), response, of: url, now: now)
        }
        let parsed: JSON
        do throws(JSONSyntaxError) {
            parsed = try JSON.parse(response.body, limit: JSON.foreignLimit)
        } catch let syntax {
            let isEmpty = !response.body.contains { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
            if !succeeded { throw error(.httpStatus(title: nil), response, of: url, now: now) }
            if isEmpty { throw error(.unexpectedAnswer(what: "an empty answer", excerpt: ""), response, of: url, now: now) }
            throw error(.notJSON(title: nil, code: nil, syntax: syntax.reason), response, of: url, now: now)
        }
        if !succeeded, ErrorEnvelope.error(in: parsed) == nil {
            throw error(.httpStatus(title: nil), response, of: url, now: now)
        }
        return parsed
    }

    static func error(_ kind: ArcGISError.Kind, _ response: HTTPResponse, of url: String, now: Double) -> ArcGISError {
        var error = ArcGISError(kind: kind, url: url, httpStatus: response.status)
        error.retryAfter = RetryAfter.duration(response.headers, now: now)
        if error.retryAfter == nil, error.code == 429 {
            error.retryAfter = ([error.message] + error.details).lazy.compactMap { RateLimit.wait(in: $0) }.first
        }
        return error
    }
}

extension ArcGISError {
    /// For an answer in which the wanted members are missing: names what was there instead (cases B02).
    static func unexpected(_ what: String, _ answer: JSON, url: String) -> ArcGISError {
        let excerpt: String =
            switch answer {
            case .object(let object): "{" + object.keys.prefix(20).joined(separator: ", ") + "}"
            case .array(let items): items.isEmpty ? "an empty list" : "a list, \(items.count) long"
            case .string: "a text"
            case .integer, .number: "a number"
            case .bool, .null: answer.serialized()
            }
        return ArcGISError(kind: .unexpectedAnswer(what: what, excerpt: excerpt), url: url, httpStatus: 200)
    }
}
