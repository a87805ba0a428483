import Basics

/// Applies `f`: JSON, indented JSON, or the HTML that a service gives when nobody asked for JSON (REST reference 0.1).
enum Formatting {
    enum Format { case json, pjson, html }

    static func format(of request: Request) -> Format {
        switch request.parameters["f"]?.lowercased() {
        case "json", "geojson", "pbf", "sqlite": .json
        case "pjson": .pjson
        default: .html
        }
    }

    static func render(_ answer: Answer, for request: Request) -> Response {
        if case .response(let response) = answer { return response }
        switch (format(of: request), answer) {
        case (.json, .fixed(let fixed)): return .json(fixed.compact)
        case (.json, .json(let tree)): return .json(Array(tree.serialized().utf8))
        case (.pjson, .fixed(let fixed)): return .json(Array(fixed.tree.serialized(.indented).utf8))
        case (.pjson, .json(let tree)): return .json(Array(tree.serialized(.indented).utf8))
        case (.html, .fixed(let fixed)): return .html(page(fixed.tree, path: request.path))
        case (.html, .json(let tree)): return .html(page(tree, path: request.path))
        case (_, .response(let response)): return response
        }
    }

    static func render(_ error: RESTError, for request: Request) -> Response {
        switch format(of: request) {
        case .json: return .json(Array(error.json.serialized().utf8), status: error.status)
        case .pjson: return .json(Array(error.json.serialized(.indented).utf8), status: error.status)
        case .html:
            // The structure of REST reference 2.2.
            let message = XMLText.escaped(error.message)
            let details = error.details.map { "<br>\(XMLText.escaped($0))" }.joined()
            let text =
                "<html><head><title>Error: \(message)</title></head><body><h3>\(message)</h3><br><b>Error: </b>\(error.code)"
                + "\(details)</body></html>"
            return .html(text, status: error.status)
        }
    }

    private static func page(_ tree: JSON, path: String) -> String {
        let title = XMLText.escaped(path)
        let rows = (tree.object?.members ?? []).map { member in
            "<tr><th align=\"left\" valign=\"top\">\(XMLText.escaped(member.key))</th><td><pre>"
                + XMLText.escaped(member.value.serialized(.indented)) + "</pre></td></tr>"
        }
        return "<html><head><title>\(title)</title></head><body><h2>\(title)</h2><table>\(rows.joined())</table>"
            + "<p><a href=\"?f=pjson\">JSON</a></p></body></html>"
    }
}
