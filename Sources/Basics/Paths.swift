import Foundation

/// Path arithmetic on text: no file system is asked.
public enum Paths {
    public static func parent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    public static func name(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    public static func join(_ folder: String, _ name: String) -> String {
        if name.hasPrefix("/") || folder.isEmpty { return name }
        return folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// A name for a file or a job path: lower-case ASCII letters, digits, `-`, `_` and `.`; never empty, hidden or over 80 bytes.
    /// Different titles may give one name: callers that need distinct names add a number (`unique`).
    public static func slug(_ title: String) -> String {
        var result = ""
        for scalar in title.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9", "_", ".": result.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .nonspacingMark: break
            default: if !result.hasSuffix("-") { result += "-" }
            }
        }
        let trimmed = String(result.prefix(80).drop { $0 == "-" || $0 == "." })
        let name = String(trimmed.reversed().drop { $0 == "-" || $0 == "." }.reversed())
        return name.isEmpty ? "untitled" : name
    }

    /// `name`, or `name-2`, `name-3` … so that it is not in `taken`; the result is put into `taken`.
    public static func unique(_ name: String, taken: inout Set<String>) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(name)-\(number)"
            number += 1
        }
        return candidate
    }
}
