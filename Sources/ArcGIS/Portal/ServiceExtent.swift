import Basics
import Geography

/// Where a service or an item lies, in its own spatial reference.
public struct ServiceExtent: Sendable, Hashable {
    public var envelope: Envelope
    /// nil when the document does not say.
    public var spatialReference: SpatialReference?

    /// nil for a missing, empty or `"NaN"` extent (REST reference 3.2).
    init?(json: JSON?) {
        guard let json, let xmin = json["xmin"]?.double, let ymin = json["ymin"]?.double, let xmax = json["xmax"]?.double,
            let ymax = json["ymax"]?.double, [xmin, ymin, xmax, ymax].allSatisfy(\.isFinite)
        else { return nil }
        envelope = Envelope(xmin: xmin, ymin: ymin, xmax: xmax, ymax: ymax)
        spatialReference = SpatialReference(json: json["spatialReference"])
    }

    /// An item's `[[xmin, ymin], [xmax, ymax]]`, which is always WGS 84 (REST reference 1.2).
    init?(corners json: JSON?) {
        guard let low = json?[0], let high = json?[1], let xmin = low[0]?.double, let ymin = low[1]?.double,
            let xmax = high[0]?.double, let ymax = high[1]?.double, [xmin, ymin, xmax, ymax].allSatisfy(\.isFinite)
        else { return nil }
        envelope = Envelope(xmin: xmin, ymin: ymin, xmax: xmax, ymax: ymax)
        spatialReference = .wgs84
    }
}
