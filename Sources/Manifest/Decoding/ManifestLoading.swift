import Basics

/// What became of a manifest file.
public struct ManifestResult: Sendable, Hashable {
    /// nil when there is an error.
    public var manifest: Manifest?
    /// Every problem, in the order of the text; warnings, too.
    public var diagnostics: [Diagnostic]

    public var errors: [Diagnostic] { diagnostics.filter { $0.severity == .error } }
}

extension Manifest {
    public static let portalVariable = "OFFLINE_BATCH_PORTAL"

    /// Reads and checks a manifest and every file that it names. Blocks on reading; asks no network.
    ///
    /// `portalOverride` (a flag) wins over `OFFLINE_BATCH_PORTAL` in `environment`, which wins over `portal: url`.
    public static func load(path: String, environment: [String: String] = [:], portalOverride: String? = nil) -> ManifestResult {
        if let size = try? Files.size(path), size > maximumSize, !Files.isDirectory(path) { return tooLong(size, path) }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try fileSystem(path)
        } catch {
            let problem = Diagnostic(file: path, message: "the manifest cannot be read: \(error.words)")
            return ManifestResult(manifest: nil, diagnostics: [problem])
        }
        return decode(bytes: bytes, path: path, environment: environment, portalOverride: portalOverride)
    }

    /// The same for a text that is in memory; other files are read through `files`.
    public static func decode(
        text: String, path: String, environment: [String: String] = [:], portalOverride: String? = nil,
        files: @escaping FileReader = fileSystem
    ) -> ManifestResult {
        decode(bytes: Array(text.utf8), path: path, environment: environment, portalOverride: portalOverride, files: files)
    }

    public static func decode(
        bytes: [UInt8], path: String, environment: [String: String] = [:], portalOverride: String? = nil,
        files: @escaping FileReader = fileSystem
    ) -> ManifestResult {
        guard bytes.count <= maximumSize else { return tooLong(bytes.count, path) }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            return ManifestResult(manifest: nil, diagnostics: [notUTF8(content, path)])
        }
        let source = SourceText(file: path, text: text)
        var problems = Problems(source: source)
        guard let root = TreeBuilder.build(text, source: source, problems: &problems) else {
            return ManifestResult(manifest: nil, diagnostics: problems.diagnostics())
        }
        var decoder = ManifestDecoder(folder: ManifestFolder(ofManifest: path), read: files, path: path, problems: problems)
        var manifest = decoder.manifest(root)
        manifest.webMapOrigin = (root["webMap"] ?? root["services"]).map(decoder.origin) ?? path
        manifest.lintIgnores = decoder.lintIgnores(root["lint"])
        manifest.notify = decoder.notify(root["notify"])
        var diagnostics = decoder.problems.diagnostics()
        for (given, source) in [(portalOverride, "--portal"), (environment[portalVariable], portalVariable)] {
            guard let url = given, !url.isEmpty else { continue }
            if matches(url, TextForm.url.pattern) {
                manifest.portal.url = PortalSettings.rootURL(url)
            } else {
                // The value is not repeated: it may hold a password or a token.
                diagnostics.append(
                    Diagnostic(file: source, message: "the portal must be \(TextForm.url.words), without user name or query"))
            }
            break
        }
        let isGood = diagnostics.allSatisfy { $0.severity != .error }
        return ManifestResult(manifest: isGood ? manifest : nil, diagnostics: diagnostics)
    }

    private static let maximumSize = 4 << 20

    private static func tooLong(_ size: Int, _ path: String) -> ManifestResult {
        let problem = Diagnostic(
            file: path, message: "the file has \(size) bytes; a manifest has at most \(maximumSize)",
            hint: "keep polygons in GeoJSON files")
        return ManifestResult(manifest: nil, diagnostics: [problem])
    }

    private static func notUTF8(_ bytes: ArraySlice<UInt8>, _ path: String) -> Diagnostic {
        // The longest valid start ends where the trouble begins; only whole lines are tried, then the rest of one.
        var line = 1
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")),
            String(validating: bytes[start..<end], as: UTF8.self) != nil
        {
            line += 1
            start = end + 1
        }
        let rest = String(decoding: bytes[start...].prefix(4096), as: UTF8.self).unicodeScalars
        let column = (rest.firstIndex(of: "\u{FFFD}").map { rest.distance(from: rest.startIndex, to: $0) } ?? 0) + 1
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return Diagnostic(
            file: path, line: line, column: column, message: "the file is not UTF-8" + (isWide ? " but UTF-16" : ""),
            hint: "save it as UTF-8")
    }
}
