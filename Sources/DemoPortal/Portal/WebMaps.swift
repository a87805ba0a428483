import Basics
import Geography

/// The web maps of the demo town (REST reference 9).
struct WebMaps: Sendable {
    let places: Places
    let extent: Envelope

    func water(_ water: FeatureService, parcels: FeatureService, hasStatus: Bool) -> JSON {
        let network = water.tables.filter { !$0.isTable && $0.id < 4 }.map { served in
            featureLayer(
                served, of: water, id: "water-\(served.id)",
                expression: served.id == 2 && hasStatus ? "STATUS <> 'Abandoned'" : nil)
        }
        let group: JSON = [
            "id": "water-network", "layerType": "GroupLayer", "title": "Water Network", "visibility": true,
            "visibilityMode": "independent",
            // Array order is drawing order, the first at the bottom: mains below hydrants.
            "layers": .array(network.reversed()),
        ]
        let districts = water.tables.filter { $0.id == 4 }.map { featureLayer($0, of: water, id: "districts") }
        let other = parcels.tables.map { featureLayer($0, of: parcels, id: "parcels") }
        let tables = water.tables.filter(\.isTable).map { table(served: $0, of: water) }
        return map(
            baseTitle: "Streets", base: [vectorBase, streetBase], layers: other + districts + [group], tables: tables,
            bookmark: "Water works")
    }

    func stormWater(_ storm: FeatureService) -> JSON {
        map(
            baseTitle: "Street Map (Vector)", base: [vectorBase],
            layers: storm.tables.filter { !$0.isTable }.reversed().map { featureLayer($0, of: storm, id: "storm-\($0.id)") },
            tables: storm.tables.filter(\.isTable).map { table(served: $0, of: storm) }, bookmark: "River")
    }

    /// Tiles only: heights and aerial pictures of image services over the street map.
    func terrain() -> JSON {
        func image(_ id: String, _ type: String, _ title: String, _ itemID: String, _ name: String) -> JSON {
            [
                "id": .string(id), "layerType": .string(type), "title": .string(title), "itemId": .string(itemID),
                "url": .string(places.service("\(name)/ImageServer")), "visibility": true, "opacity": 1,
            ]
        }
        return map(
            baseTitle: "Streets", base: [streetBase],
            layers: [
                image("imagery", "ArcGISTiledImageServiceLayer", "Town Imagery", ItemIDs.imageTiles, "Town_Imagery"),
                image(
                    "elevation", "ArcGISTiledElevationServiceLayer", "Town Elevation", ItemIDs.elevationTiles, "Town_Elevation"),
            ], tables: [], bookmark: nil)
    }

    /// One map over the Esri-made files.
    func samples(features: FeatureService?, tiles: [TileService]) -> JSON {
        let base = tiles.filter { $0.kind == .map }.map { service -> JSON in
            [
                "id": .string(service.name), "layerType": "ArcGISTiledMapServiceLayer", "title": .string(service.name),
                "url": .string(places.service(service.path)), "visibility": true, "opacity": 1,
            ]
        }
        let vector = tiles.filter { $0.kind == .vector }.map { service -> JSON in
            [
                "id": .string(service.name), "layerType": "VectorTileLayer", "title": .string(service.name),
                "url": .string(places.service(service.path)), "itemId": .string(service.itemID), "visibility": true, "opacity": 1,
            ]
        }
        let layers = (features?.tables ?? []).filter { !$0.isTable }.compactMap { served in
            features.map { featureLayer(served, of: $0, id: "sample-\(served.id)") }
        }
        let tables = (features?.tables ?? []).filter(\.isTable).compactMap { served in
            features.map { table(served: served, of: $0) }
        }
        return map(baseTitle: "Samples", base: base, layers: vector + layers, tables: tables, bookmark: nil)
    }

    private func map(baseTitle: String, base: [JSON], layers: [JSON], tables: [JSON], bookmark: String?) -> JSON {
        let reference: JSON = ["wkid": 102100, "latestWkid": 3857]
        let target: JSON = [
            "xmin": .number(extent.xmin), "ymin": .number(extent.ymin), "xmax": .number(extent.xmax),
            "ymax": .number(extent.ymax),
            "spatialReference": reference,
        ]
        var map: JSON = [
            "operationalLayers": .array(layers), "baseMap": ["title": .string(baseTitle), "baseMapLayers": .array(base)],
            "spatialReference": reference, "initialState": ["viewpoint": ["targetGeometry": target]],
        ]
        if !tables.isEmpty { map["tables"] = .array(tables) }
        if let bookmark {
            map["bookmarks"] = [
                ["name": .string(bookmark), "extent": target, "viewpoint": ["targetGeometry": target, "scale": 5000]]
            ]
        }
        map["applicationProperties"] = [
            "offline": [
                "editableLayers": ["download": "featuresAndAttachments", "sync": "syncFeaturesAndAttachments"],
                "readonlyLayers": ["downloadAttachments": true], "tables": ["includeRows": false],
            ],
            "viewing": ["search": ["enabled": true, "disablePlaceFinder": false]],
        ]
        map["authoringApp"] = "ArcGISMapViewer"
        map["authoringAppVersion"] = "2025.1"
        map["version"] = "2.31"
        return map
    }

    private var vectorBase: JSON {
        [
            "id": "street-map-vector", "layerType": "VectorTileLayer", "title": "Street Map (Vector)",
            "itemId": .string(ItemIDs.vectorStyle),
            "styleUrl": .string(places.item(ItemIDs.vectorStyle) + "/resources/styles/root.json"), "visibility": true,
            "opacity": 1,
        ]
    }

    private var streetBase: JSON {
        [
            "id": "world-street-map", "layerType": "ArcGISTiledMapServiceLayer", "title": "World Street Map",
            "itemId": .string(ItemIDs.streetTiles), "url": .string(places.service("World_Street_Map/MapServer")),
            "visibility": true,
            "opacity": 1,
        ]
    }

    private func featureLayer(_ served: ServedTable, of service: FeatureService, id: String, expression: String? = nil) -> JSON {
        var definition: JSON = [:]
        if let expression { definition["definitionExpression"] = .string(expression) }
        if served.table.minScale > 0 { definition["minScale"] = .number(served.table.minScale) }
        if let drawing = try? JSON.parse(served.table.drawingInfo) { definition["drawingInfo"] = drawing }
        return [
            "id": .string(id), "layerType": "ArcGISFeatureLayer", "title": .string(served.table.name),
            "itemId": .string(service.itemID), "url": .string("\(places.service(service.path))/\(served.id)"), "visibility": true,
            "opacity": 1, "layerDefinition": definition, "popupInfo": popup(served),
        ]
    }

    /// Tables of older maps have no `layerType`.
    private func table(served: ServedTable, of service: FeatureService) -> JSON {
        [
            "id": .string("table-\(served.id)"), "title": .string(served.table.name), "itemId": .string(service.itemID),
            "url": .string("\(places.service(service.path))/\(served.id)"), "popupInfo": popup(served),
        ]
    }

    private func popup(_ served: ServedTable) -> JSON {
        [
            "title": .string(
                "\(served.table.name) {\(served.table.fields.count > 2 ? served.table.fields[2].name : "OBJECTID")}"),
            "fieldInfos": .array(
                served.table.fields.dropFirst(2).map {
                    ["fieldName": .string($0.name), "label": .string($0.alias), "visible": true, "isEditable": true]
                }),
        ]
    }
}
