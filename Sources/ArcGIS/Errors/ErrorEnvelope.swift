import Basics

/// Finds a service's error in a JSON answer, in every shape that REST reference 2.1 lists.
enum ErrorEnvelope {
    /// nil when the answer is no error. Failed server jobs are not errors of the request: see `ServerJobStatus`.
    static func error(in answer: JSON) -> ArcGISError.Kind? {
        guard let object = answer.object else { return nil }
        if let error = object["error"], !error.isNull { return nested(error, in: answer) }
        let status = object["status"]?.string?.lowercased()
        if status == "error" {
            let messages = texts(object["messages"])
            return .service(
                code: answer["code"]?.int, messageCode: nil, message: messages.first ?? "", details: Array(messages.dropFirst()))
        }
        if status == "failure" {
            return .service(
                code: answer["code"]?.int, messageCode: nil, message: object["message"]?.string ?? "",
                details: texts(object["details"]))
        }
        if status == "failed", let text = object["statusMessage"]?.string { return statusMessage(text) }
        if object["success"]?.bool == false {
            return .service(
                code: answer["code"]?.int, messageCode: nil, message: object["message"]?.string ?? "",
                details: texts(object["details"]))
        }
        return nil
    }

    private static func nested(_ error: JSON, in answer: JSON) -> ArcGISError.Kind? {
        switch error {
        case .string(let word):
            let message = answer["error_description"]?.string ?? answer["message"]?.string ?? word
            return .service(code: answer["code"]?.int, messageCode: nil, message: message, details: texts(answer["details"]))
        case .object:
            let details = texts(error["details"])
            let words = [error["message"], error["description"], error["error_description"], error["error"]]
            let message = words.lazy.compactMap { $0?.string }.first { !$0.isEmpty }
            return .service(
                code: error["code"]?.int, messageCode: error["messageCode"]?.string, message: message ?? details.first ?? "",
                details: details)
        // `"error": false` says that there is none.
        case .bool(false): return nil
        default: return .service(code: error.int, messageCode: nil, message: answer["message"]?.string ?? "", details: [])
        }
    }

    /// The portal's `statusMessage`, which may itself be JSON text.
    private static func statusMessage(_ text: String) -> ArcGISError.Kind {
        let inner = try? JSON.parse(text)
        return .service(
            code: inner?["code"]?.int, messageCode: inner?["messageCode"]?.string, message: inner?["message"]?.string ?? text,
            details: texts(inner?["details"]))
    }

    /// A list of texts, a single text, or messages with a `description`; anything else is no text.
    static func texts(_ json: JSON?) -> [String] {
        switch json {
        case .string(let text)?: text.isEmpty ? [] : [text]
        case .array(let items)?: items.compactMap { $0.string ?? $0["description"]?.string ?? $0["message"]?.string }
        default: []
        }
    }
}
