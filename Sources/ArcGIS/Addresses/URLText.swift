import Basics
import Foundation

/// Small operations on URLs that stay text.
enum URLText {
    /// For errors and logs: a query may hold a secret.
    static func withoutQuery(_ url: String) -> String {
        URLParts(url)?.withoutQuery ?? Redaction.address(url)
    }

    /// Without the parameters that our requests bring themselves, `f` and `token`; the others stand.
    static func withoutOwnParameters(_ url: String) -> String {
        guard var parts = URLParts(url), let query = parts.query else { return URLParts(url)?.text ?? url }
        let kept = query.pieces(between: "&").filter { pair in
            !pair.isEmpty && !["f", "token"].contains(pair.pieces(between: "=")[0].lowercased())
        }
        parts.query = kept.isEmpty ? nil : kept.joined(separator: "&")
        return parts.text
    }

    /// A reference as servers write it, against the URL of the document that holds it; blanks inside are encoded.
    static func resolve(_ reference: String, against base: String) -> String? {
        let reference = reference.trimmed.replacing(" ", with: "%20")
        guard !reference.isEmpty else { return nil }
        if let parts = URLParts(reference) { return parts.text }
        guard let base = URL(string: base), let resolved = URL(string: reference, relativeTo: base) else { return nil }
        return URLParts(resolved.absoluteString)?.text
    }

    /// Joins with exactly one slash.
    static func join(_ base: String, _ path: String) -> String {
        var base = Substring(base)
        while base.hasSuffix("/") { base = base.dropLast() }
        return base + "/" + path.drop { $0 == "/" }
    }
}
