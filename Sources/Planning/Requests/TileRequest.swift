import ArcGIS
import Basics
import Geography

/// The exportTiles form of one tiled service and one area (REST reference 6.4, 7.4).
struct TileRequest {
    var kind: ExportService
    /// Sorted level ids.
    var levels: [Int]
    /// In the service's spatial reference.
    var area: AreaShape
    var spatialReference: SpatialReference
    /// The server can write compact cache V2, so a .tpkx (10.7 and later).
    var writesCompactV2: Bool
    /// Of image tiles; nil keeps them as they are.
    var compressionQuality: Int?

    var parameters: [String: String] {
        var form = ["exportBy": "levelId", "levels": Self.text(levels)]
        // No box holds both sides of the antimeridian and not the rest of the world; the polygon stands before it anyway.
        let isSplit = (try? area.isSplit(in: spatialReference)) ?? false
        if let box = area.envelope, !isSplit { form["exportExtent"] = Self.text(box) }
        switch kind {
        case .map, .image:
            form["tilePackage"] = "true"
            form["optimizeTilesForSize"] = String(compressionQuality != nil)
            if let compressionQuality { form["compressionQuality"] = String(compressionQuality) }
            // Servers differ in the name of this parameter; unknown ones are ignored.
            form["storageFormatType"] = writesCompactV2 ? "CompactV2" : "Compact"
            form["storageFormat"] = writesCompactV2 ? "esriMapCacheStorageModeCompactV2" : "esriMapCacheStorageModeCompact"
            if case .polygon = area {
                let feature: JSON = ["geometry": area.esriJSON(spatialReference: spatialReference)]
                form["areaOfInterest"] = (["features": [feature]] as JSON).serialized()
            }
        case .vector:
            // ArcGIS Online's own examples call it so.
            form["extent"] = form["exportExtent"]
            if case .polygon = area { form["polygon"] = area.esriJSON(spatialReference: spatialReference).serialized() }
        }
        return form
    }

    /// `xmin,ymin,xmax,ymax`.
    private static func text(_ box: Envelope) -> String {
        let json = AreaShape.envelope(box).esriJSON()
        return ["xmin", "ymin", "xmax", "ymax"].map { json[$0]?.serialized() ?? "0" }.joined(separator: ",")
    }

    /// Neighbouring levels as a run: `0-5,7,9-11`.
    static func text(_ levels: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for level in levels {
            if let last = runs.last, level == last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...level
            } else {
                runs.append(level...level)
            }
        }
        return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }
}
