import Basics

/// Where the package of a finished export is.
public struct ResultLocation: Sendable, Hashable {
    public var url: String
    /// false for signed storage, which refuses strangers' headers (REST reference 1.7).
    public var sendsCredentials: Bool

    public init(url: String, sendsCredentials: Bool) {
        self.url = url
        self.sendsCredentials = sendsCredentials
    }
}

extension ArcGISClient {
    /// Finds the package in both flavours (REST reference 6.6): the answer's own output (ArcGIS Online), or parameter →
    /// directory → file (Server).
    /// - Parameters:
    ///   - jobURL: the form that answered: `ServerJobStatus.url`.
    ///   - status: the job's last answer: `ServerJobStatus.result`.
    public func exportResult(_ jobURL: String, _ status: JSON) async throws(ArcGISError) -> ResultLocation {
        if let found = outputLocation(status["output"], jobURL: jobURL) { return found }
        let results = status["results"]
        let parameter = results?["out_service_url"] ?? results?.object?.members.first { $0.value["paramUrl"] != nil }?.value
        if let value = parameter?["value"] { return try await locate(value, jobURL: jobURL) }
        guard let path = parameter?["paramUrl"]?.string?.trimmed, !path.isEmpty else {
            throw .unexpected("a finished job without a result", status, url: jobURL)
        }
        let parameterURL = URLParts(path)?.text ?? URLText.join(URLText.withoutQuery(jobURL), path)
        let answer = try await json(parameterURL)
        guard let value = answer["value"] else { throw .unexpected("a result without a value", answer, url: parameterURL) }
        return try await locate(value, jobURL: jobURL)
    }

    private func outputLocation(_ output: JSON?, jobURL: String) -> ResultLocation? {
        let listed = output?["outputUrl"] ?? output?["outputURL"]
        let urls = (listed?.array ?? listed.map { [$0] } ?? []).compactMap(\.string).compactMap {
            URLText.resolve($0, against: jobURL)
        }
        if let url = urls.first(where: PackageName.isPackage) ?? urls.first {
            // A query signs it, another origin is somebody's storage; only a plain URL of the service itself is the service.
            let isPlain = URLParts(url)?.query == nil && Origin(url: url) == Origin(url: jobURL)
            return ResultLocation(url: url, sendsCredentials: isPlain)
        }
        guard let item = output?["itemId"]?.string, !item.isEmpty else { return nil }
        return ResultLocation(url: itemURL(item) + "/data", sendsCredentials: true)
    }

    /// A value is a directory, a package, or an object with a `url`.
    private func locate(_ value: JSON, jobURL: String) async throws(ArcGISError) -> ResultLocation {
        guard let text = value.string ?? value["url"]?.string, let url = URLText.resolve(text, against: jobURL) else {
            throw .unexpected("a result that is no URL", value, url: jobURL)
        }
        if PackageName.isPackage(url) { return ResultLocation(url: url, sendsCredentials: true) }
        guard let package = try await search(url, depth: 2) else {
            throw .unexpected("a result directory without a package", .null, url: url)
        }
        return ResultLocation(url: package, sendsCredentials: true)
    }

    /// Looks for a package in a directory of the server, and `depth` levels below.
    private func search(_ directory: String, depth: Int) async throws(ArcGISError) -> String? {
        let base = URLText.withoutQuery(directory)
        let listing = try await json(directory)
        for file in listing["files"]?.array ?? [] {
            let name = file.string ?? file["name"]?.string ?? ""
            let reference = file["url"]?.string ?? name
            guard PackageName.isPackage(name) || PackageName.isPackage(reference) else { continue }
            return URLText.resolve(reference, against: base + "/")
        }
        guard depth > 0 else { return nil }
        for folder in listing["folders"]?.array ?? [] {
            let reference = folder.string ?? folder["url"]?.string ?? folder["name"]?.string ?? ""
            guard let url = URLText.resolve(reference, against: base + "/") else { continue }
            if let found = try await search(url, depth: depth - 1) { return found }
        }
        return nil
    }
}

private enum PackageName {
    static func isPackage(_ url: String) -> Bool {
        let path = URLText.withoutQuery(url).lowercased()
        return [".tpkx", ".tpk", ".vtpk"].contains { path.hasSuffix($0) }
    }
}
