import Basics
import Geography

/// Descriptions of tile services (REST reference 6.1 and 7.1).
enum TileMetadata {
    static func envelope(_ envelope: Envelope, _ reference: SpatialReference) -> JSON {
        [
            "xmin": .number(envelope.xmin), "ymin": .number(envelope.ymin), "xmax": .number(envelope.xmax),
            "ymax": .number(envelope.ymax), "spatialReference": reference.json,
        ]
    }

    /// What the cells of an image service are.
    enum Pixels: Sendable {
        case picture
        /// Metres; no height is outside.
        case heights(ClosedRange<Double>)
    }

    /// A cached map or image service.
    static func raster(
        name: String, kind: TileService.Kind, itemID: String, tileInfo: JSON, scheme: TilingScheme, extent: Envelope,
        pixels: Pixels = .picture, isExportAllowed: Bool, maxExportTiles: Int
    ) -> JSON {
        var tileInfo = tileInfo
        tileInfo["storageFormat"] = "esriMapCacheStorageModeCompactV2"
        tileInfo["packetSize"] = 128
        let extent = envelope(extent, scheme.spatialReference)
        let levels = scheme.levels
        var root: JSON = [
            "currentVersion": 11.3, "name": .string(name), "serviceItemId": .string(itemID), "mapName": "Layers",
            "description": "",
            "serviceDescription": "", "copyrightText": "Invented data of a demo portal",
            "capabilities": kind == .image ? "Image,TilesOnly,Tilemap" : "Map,TilesOnly,Tilemap", "type": .string(kind.rawValue),
            "units": "esriMeters", "spatialReference": scheme.spatialReference.json, "initialExtent": extent,
            "fullExtent": extent,
            "minScale": .number(levels.first?.scale ?? 0), "maxScale": .number(levels.last?.scale ?? 0),
            "minLOD": JSON(levels.first?.level ?? 0), "maxLOD": JSON(levels.last?.level ?? 0), "tileInfo": tileInfo,
            "storageInfo": ["storageFormat": "esriMapCacheStorageModeCompactV2", "packetSize": 128],
            "exportTilesAllowed": .bool(isExportAllowed), "maxExportTilesCount": JSON(maxExportTiles), "tileServers": [],
            "resampling": false,
        ]
        switch kind {
        case .image:
            root["extent"] = extent
            switch pixels {
            case .picture:
                root["pixelType"] = "U8"
                root["bandCount"] = 3
                root["cacheType"] = "Map"
                root["serviceDataType"] = "esriImageServiceDataTypeRGB"
            case .heights(let range):
                root["pixelType"] = "F32"
                root["bandCount"] = 1
                root["cacheType"] = "Elevation"
                root["serviceDataType"] = "esriImageServiceDataTypeElevation"
                root["minValues"] = [.number(range.lowerBound)]
                root["maxValues"] = [.number(range.upperBound)]
            }
            // Without it QGIS asks for `exportImage`, which a service of tiles does not have.
            root["singleFusedMapCache"] = true
            root["pixelSizeX"] = .number(levels.last?.resolution ?? 1)
            root["pixelSizeY"] = .number(levels.last?.resolution ?? 1)
        case .map, .vector:
            root["singleFusedMapCache"] = true
            root["supportedImageFormatTypes"] = "PNG32,PNG24,PNG,JPG"
            root["layers"] = [
                [
                    "id": 0, "name": .string(name), "parentLayerId": -1, "defaultVisibility": true, "subLayerIds": nil,
                    "minScale": 0,
                    "maxScale": 0,
                ]
            ]
            root["tables"] = []
            root["documentInfo"] = ["Title": .string(name), "Author": "demo portal"]
        }
        return root
    }

    /// The documents of the layers that a map service's root names: raster layers without fields.
    static func layers(of root: JSON) -> [JSON] {
        (root["layers"]?.array ?? []).map { summary in
            var layer = summary
            layer["currentVersion"] = root["currentVersion"]
            layer["type"] = "Raster Layer"
            layer["description"] = ""
            layer["copyrightText"] = root["copyrightText"]
            layer["parentLayer"] = .null
            layer["subLayers"] = []
            layer["extent"] = root["fullExtent"]
            layer["spatialReference"] = root["spatialReference"]
            layer["hasAttachments"] = false
            layer["htmlPopupType"] = "esriServerHTMLPopupTypeNone"
            layer["fields"] = .null
            layer["relationships"] = []
            layer["capabilities"] = root["capabilities"]
            return layer
        }
    }

    /// A vector tile service. `exportTilesAllowed` is written twice, as hosted services do (REST reference 0.1).
    static func vector(_ members: JSON, name: String, itemID: String, isExportAllowed: Bool, maxExportTiles: Int) -> JSON {
        let flag = JSONObject.Member(key: "exportTilesAllowed", value: .bool(isExportAllowed))
        var list: [JSONObject.Member] = [
            .init(key: "currentVersion", value: 11.3), .init(key: "name", value: .string(name)),
            .init(key: "serviceItemId", value: .string(itemID)),
            .init(key: "copyrightText", value: "Invented data of a demo portal"),
            .init(key: "capabilities", value: "TilesOnly,Tilemap"), flag,
            .init(key: "maxExportTilesCount", value: JSON(maxExportTiles)),
        ]
        let own = Set(list.map(\.key))
        list += (members.object?.members ?? []).filter { !own.contains($0.key) }
        return .object(JSONObject(list + [flag]))
    }
}
