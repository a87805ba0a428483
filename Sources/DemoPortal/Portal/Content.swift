import Basics
import Geography

/// All that a portal serves, made from the dataset and the samples.
struct Content: Sendable {
    var catalogue = Catalogue()
    var items: [String: PortalItem] = [:]

    static func make(_ configuration: DemoPortalConfiguration, places: Places) throws(ConfigurationError) -> Content {
        let dataset = TownDataset.make(
            configuration.data == .large ? .large : configuration.data == .town ? .town : .hamlet)
        let picture = TownPicture(dataset)
        var content = Content()
        let extent = dataset.extent
        let degrees = WebMercator.degrees(extent)
        let thumbnail = picture.draw(extent, level: 13, size: 256)?.png() ?? []
        let maker = ItemMaker(
            places: places, extent: (degrees.xmin, degrees.ymin, degrees.xmax, degrees.ymax), thumbnail: thumbnail)
        let maps = WebMaps(places: places, extent: extent)

        let water = FeatureService(
            name: "Water_Network", itemID: ItemIDs.waterService, description: "The invented water network of Naperville",
            tables: dataset.water.map(ServedTable.init), canSync: true)
        let storm = FeatureService(
            name: "Utilities/Storm_Water", itemID: ItemIDs.stormWaterService, description: "The invented storm water network",
            tables: dataset.stormWater.map(ServedTable.init), canSync: true)
        let parcels = FeatureService(
            name: "Parcels", itemID: ItemIDs.parcelService, description: "Parcels; read only, cannot be taken offline",
            tables: dataset.unsynced.map(ServedTable.init), canSync: false)
        for var service in [water, storm, parcels] {
            service.supportsSyncModelNone = configuration.supportsSyncModelNone
            service.saysEdits = configuration.saysEdits
            content.catalogue.add(service)
            content.add(maker.featureService(service))
        }
        let vectors = VectorTiles(dataset: dataset)
        content.addTiles(
            TownServices(dataset: dataset, picture: picture, vectors: vectors, limit: configuration.maxExportTiles), maker)
        content.add(maker.style(vectors))
        content.add(
            maker.webMap(
                ItemIDs.waterMap, "Naperville Water Network", "Hydrants, valves, mains and service connections",
                maps.water(water, parcels: parcels, hasStatus: water.table(2)?.field(named: "STATUS") != nil)))
        content.add(
            maker.webMap(
                ItemIDs.stormWaterMap, "Naperville Storm Water", "Drains, pipes and catchments", maps.stormWater(storm)))
        content.add(
            maker.webMap(
                ItemIDs.terrainMap, "Naperville Terrain", "Heights over a street map; tiles only", maps.terrain()))
        var secret = maker.webMap(ItemIDs.privateMap, "Pressure zones (draft)", "Not for everybody", maps.stormWater(storm))
        secret.access = .owner
        content.add(secret)
        if let folder = configuration.samples {
            try SampleServices(folder: folder, places: places, limit: configuration.maxExportTiles).add(to: &content, maker, maps)
        }
        return content
    }

    mutating func add(_ item: PortalItem) { items[item.id] = item }

    private mutating func addTiles(_ town: TownServices, _ maker: ItemMaker) {
        for service in town.all {
            catalogue.add(service)
            add(maker.tileService(service))
        }
    }
}

/// Portal items with what they have in common.
struct ItemMaker: Sendable {
    let places: Places
    let extent: (Double, Double, Double, Double)
    let thumbnail: [UInt8]

    func webMap(_ id: String, _ title: String, _ snippet: String, _ data: JSON) -> PortalItem {
        PortalItem(
            id: id, title: title, type: "Web Map",
            keywords: ["ArcGIS Online", "Collector", "Explorer Web Map", "Map", "Offline", "Online Map", "Web Map"],
            snippet: snippet,
            description: "\(snippet). All data is invented.", tags: ["water", "demo"], extent: extent, data: data,
            thumbnail: thumbnail)
    }

    func featureService(_ service: FeatureService) -> PortalItem {
        self.service(
            service.itemID, service.name, "Feature Service", service.path,
            ["ArcGIS Server", "Data", "Feature Access", "Feature Service", "Service"] + (service.canSync ? ["Sync"] : []))
    }

    func tileService(_ service: TileService) -> PortalItem {
        let type =
            switch service.kind {
            case .map: "Map Service"
            case .image: "Image Service"
            case .vector: "Vector Tile Service"
            }
        return self.service(service.itemID, service.name, type, service.path, ["Data", "Service", "Tiled"])
    }

    /// An item that only restyles the street map (REST reference 7.5).
    func style(_ vectors: VectorTiles) -> PortalItem {
        var item = service(
            ItemIDs.vectorStyle, "Street Map (Vector)", "Vector Tile Service", "Street_Map/VectorTileServer",
            ["ArcGIS Server", "Hosted Service", "Vector Tile Style Editor", "Styled"])
        let resources = places.item(ItemIDs.vectorStyle) + "/resources"
        item.resources = CustomStyle.paths.compactMap { path in
            vectors.customStyle(
                itemResourcesURL: resources, serviceURL: places.service("Street_Map/VectorTileServer"), path: path
            ).map { PortalItem.Resource(path: path, bytes: $0.bytes, contentType: $0.contentType) }
        }
        return item
    }

    private func service(_ id: String, _ title: String, _ type: String, _ path: String, _ keywords: [String]) -> PortalItem {
        PortalItem(
            id: id, title: Paths.name(title), type: type, keywords: keywords, snippet: "A service of the demo portal",
            description: "A service of the demo portal. All data is invented.", tags: ["demo"], url: places.service(path),
            extent: extent, thumbnail: thumbnail)
    }
}
