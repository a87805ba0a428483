import Basics

/// What the stage's portal and services answer, in the shape of REST reference 3.1, 3.2, 6.1 and 9.1.
enum Documents {
    static let map = """
        {"baseMap":{"title":"Base","baseMapLayers":[
          {"id":"base-vector","layerType":"VectorTileLayer","title":"Street Map (Vector)",
           "url":"https://v.example.org/a/rest/services/Base/VectorTileServer"},
          {"id":"base-streets","layerType":"ArcGISTiledMapServiceLayer","title":"World Street Map",
           "url":"https://s.example.org/a/rest/services/Streets/MapServer","itemId":"7F5FE58EE3C046DA8D83980B7262B7F6"}]},
        "operationalLayers":[
          {"id":"mains","layerType":"ArcGISFeatureLayer","title":"Main",
           "url":"https://s.example.org/a/rest/services/Water/FeatureServer/3"},
          {"id":"group","layerType":"GroupLayer","title":"Water Network","layers":[
            {"id":"inner","layerType":"GroupLayer","title":"Devices","layers":[
              {"id":"valves","layerType":"ArcGISFeatureLayer","title":"System Valve","itemId":"0123456789abcdef0123456789abcdef",
               "url":"https://s.example.org/a/rest/services/Water/FeatureServer/1",
               "layerDefinition":{"definitionExpression":"STATUS <> 'Abandoned'"}}]},
            {"id":"hydrants","layerType":"ArcGISFeatureLayer","title":"Hydrant",
             "url":"https://s.example.org/a/rest/services/Water/FeatureServer/0"}]}],
        "tables":[
          {"id":"visits","title":"Inspections","url":"https://s.example.org/a/rest/services/Water/FeatureServer/5"},
          {"id":"notes","title":"Notes","url":"https://s.example.org/a/rest/services/Water/FeatureServer/6"}],
        "spatialReference":{"wkid":102100,"latestWkid":3857},"version":"2.31"}
        """

    static let service = """
        {"currentVersion":11.2,"capabilities":"Create,Delete,Query,Update,Editing,Sync,Extract","syncEnabled":true,
        "syncCapabilities":{"supportsAsync":true,"supportsPerLayerSync":true,"supportsPerReplicaSync":true,
          "supportsSyncModelNone":true,"supportsAttachmentsSyncDirection":true},
        "spatialReference":{"wkid":102100,"latestWkid":3857},
        "layers":[{"id":0,"name":"Hydrant"},{"id":1,"name":"System Valve"},{"id":3,"name":"Main"}],
        "tables":[{"id":5,"name":"Inspections"},{"id":6,"name":"Notes"}]}
        """

    /// Hydrants can be edited and have attachments and inspections; valves and mains can only be read.
    static let layers = """
        {"layers":[
          {"id":0,"name":"Hydrant","type":"Feature Layer","geometryType":"esriGeometryPoint","globalIdField":"GlobalID",
           "capabilities":"Create,Delete,Query,Update,Editing,Sync","hasAttachments":true,"fields":[],
           "editingInfo":{"lastEditDate":1700000000000},
           "relationships":[{"id":0,"relatedTableId":5,"role":"esriRelRoleOrigin","cardinality":"esriRelCardinalityOneToMany"}]},
          {"id":1,"name":"System Valve","type":"Feature Layer","geometryType":"esriGeometryPoint","globalIdField":"GlobalID",
           "capabilities":"Query,Sync","hasAttachments":false,"fields":[]},
          {"id":3,"name":"Main","type":"Feature Layer","geometryType":"esriGeometryPolyline","globalIdField":"GlobalID",
           "capabilities":"Query,Sync","hasAttachments":false,"fields":[]}],
        "tables":[
          {"id":5,"name":"Inspections","type":"Table","globalIdField":"GlobalID","capabilities":"Query,Sync","fields":[],
           "relationships":[{"id":0,"relatedTableId":0,"role":"esriRelRoleDestination"}]},
          {"id":6,"name":"Notes","type":"Table","globalIdField":"GlobalID","capabilities":"Query,Sync","fields":[]}]}
        """

    /// A tile service in the ladder of ArcGIS Online: each level has half the scale of the one before.
    static func tiles(tileSize: Int, levels: ClosedRange<Int>, firstScale: Double) -> JSON {
        var lods: [JSON] = []
        var power = 1.0
        for level in 0...levels.upperBound {
            if levels.contains(level) {
                let resolution = 156543.03392800014 * 256 / Double(tileSize) / power
                lods.append(["level": JSON(level), "resolution": .number(resolution), "scale": .number(firstScale / power)])
            }
            power *= 2
        }
        let reference: JSON = ["wkid": 102100, "latestWkid": 3857]
        let world: JSON = [
            "xmin": -20037508.342787, "ymin": -20037508.342787, "xmax": 20037508.342787, "ymax": 20037508.342787,
            "spatialReference": reference,
        ]
        return [
            "currentVersion": 11.2, "singleFusedMapCache": true, "exportTilesAllowed": true, "maxExportTilesCount": 100000,
            "fullExtent": world, "minScale": 0, "maxScale": 0,
            "tileInfo": [
                "rows": JSON(tileSize), "cols": JSON(tileSize), "dpi": 96,
                "origin": ["x": -20037508.342787, "y": 20037508.342787], "spatialReference": reference, "lods": .array(lods),
            ],
        ]
    }
}
