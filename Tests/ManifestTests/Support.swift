import Basics
import Glibc
import Manifest

/// Files in memory, by absolute path.
func reader(_ files: [String: String]) -> Manifest.FileReader {
    { (path) throws(SystemError) in
        guard let text = files[path] else { throw SystemError(call: "open", path: path, code: ENOENT) }
        return Array(text.utf8)
    }
}

/// Decodes a manifest that lies in /m.
func decode(_ text: String, files: [String: String] = [:], environment: [String: String] = [:], portal: String? = nil)
    -> ManifestResult
{
    Manifest.decode(text: text, path: "/m/x.yaml", environment: environment, portalOverride: portal, files: reader(files))
}

/// The required keys with one area; `more` is put behind them.
func manifest(_ more: String = "", area: String = "envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1 }") -> String {
    """
    version: 1
    name: n
    webMap: acc027394bc84c2fb04d1ed317aac674
    areas:
      - id: a
        \(area)

    """ + more
}

extension ManifestResult {
    /// "line:column message" of every problem.
    var summary: [String] { diagnostics.map { "\($0.line):\($0.column) \($0.message)" } }
    var onlyMessage: String? { diagnostics.count == 1 ? diagnostics[0].message : nil }
    var allText: String { diagnostics.map(\.text).joined(separator: "\n") }
}
