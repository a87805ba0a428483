import Foundation

/// A service or layer URL as a web map writes it, taken apart (REST reference 0.2).
public struct ServiceAddress: Sendable, Hashable {
    /// The service type segment, whatever its spelling.
    public enum ServiceType: String, Sendable, Hashable, CaseIterable {
        case feature = "FeatureServer"
        case map = "MapServer"
        case image = "ImageServer"
        case vectorTile = "VectorTileServer"
        case scene = "SceneServer"
        case stream = "StreamServer"
        case ogcFeature = "OGCFeatureServer"
        case wfs = "WFSServer"
        case wms = "WMSServer"
    }

    /// Without query, trailing slash, layer number and what stands after it; the path as written, the host in lower case.
    public var service: String
    /// nil when the URL has no service type segment.
    public var type: ServiceType?
    /// The number after the type segment. One that no layer can have is kept: it must not pass for none, which means the only layer.
    public var layer: Int?

    /// nil for what is no absolute http or https URL: templates, file names, empty text.
    public init?(_ text: String) {
        guard var parts = URLParts(text) else { return nil }
        parts.query = nil
        // Hosts of ArcGIS Online have answered https for many years; old maps still say http (cases J04).
        if parts.origin.scheme == "http", parts.origin.port == 80, parts.origin.isEsriOnline {
            parts.origin = Origin(scheme: "https", host: parts.origin.host, port: 443)
        }
        var segments = parts.segments.map { String($0).replacing(" ", with: "%20") }
        let typeIndex = segments.lastIndex { Self.type(named: $0) != nil }
        if let typeIndex {
            type = Self.type(named: segments[typeIndex])
            if typeIndex + 1 < segments.count { layer = Self.number(segments[typeIndex + 1]) }
            segments = Array(segments[...typeIndex])
        }
        parts.path = segments.isEmpty ? "" : "/" + segments.joined(separator: "/")
        service = parts.text
    }

    private static func number(_ segment: String) -> Int? {
        let digits = segment.hasPrefix("-") ? segment.dropFirst() : Substring(segment)
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(segment) ?? Int.max
    }

    private static func type(named segment: String) -> ServiceType? {
        ServiceType.allCases.first { $0.rawValue.lowercased() == segment.lowercased() }
    }

    /// Where the layer itself answers.
    public var layerURL: String { layer.map { "\(service)/\($0)" } ?? service }

    /// The service's own name: the segment before its types.
    public var serviceName: String? {
        guard type != nil, let parts = URLParts(service) else { return nil }
        // A server's own WMS and the like stand behind the service that they show: `…/Roads/MapServer/WMSServer`.
        return parts.segments.last { Self.type(named: String($0)) == nil }.map(String.init)?.removingPercentEncoding
    }

    /// Everything before `/rest/services`, `/rest/directories` and the like: the unit of federation (REST reference 0.2, 1.8).
    public static func serverRoot(of url: String) -> String? {
        guard let parts = URLParts(url) else { return nil }
        let segments = parts.segments
        let known: Set<String> = ["services", "directories", "admin", "info"]
        let rest = segments.indices.first { index in
            segments[index].lowercased() == "rest" && index + 1 < segments.count
                && known.contains(segments[index + 1].lowercased())
                && (index == 0 || segments[index - 1].lowercased() != "sharing")
        }
        guard let rest else { return nil }
        return ([parts.origin.text] + segments[..<rest].map(String.init)).joined(separator: "/")
    }
}

extension Origin {
    var isEsriOnline: Bool { isArcGISOnline || host == "arcgisonline.com" || host.hasSuffix(".arcgisonline.com") }
}
