import ArcGIS
import Basics
import Geography
import Manifest

/// One service that brings data for one or more layers of the map: what `<area>/<slug>/<kind>` stands for.
struct MapSource {
    enum Content {
        case replica(FeatureServiceInfo, [ReplicaMember])
        case tiles(ExportService, TiledServiceInfo)
        /// With the style of its own that the map gives it; without tiles the style alone.
        case vectorTiles(VectorTileServiceInfo, takesTiles: Bool, style: VectorStyle?)
    }

    /// Unique within the map and stable between nights.
    var slug: String
    var layers: [LayerLabel]
    var override: OverrideTable.Entry
    var content: Content
    /// The portal item of its layer, lower case; of tiled and vector tile layers.
    var itemID: String?

    /// The items whose changes show that tiles or style are others.
    var stampingItems: [String] {
        switch content {
        case .replica: []
        case .tiles: serviceItems
        case .vectorTiles(_, let takesTiles, let style):
            (takesTiles ? serviceItems : []) + (style == nil ? [] : styleItems)
        }
    }

    /// The service's own item, where it names one; a layer's item may be another that shows the same service.
    var serviceItems: [String] {
        let named: String? =
            switch content {
            case .replica: nil
            case .tiles(_, let info): info.serviceItemID
            case .vectorTiles(let info, _, _): info.serviceItemID
            }
        return [named ?? itemID].compactMap { $0 }
    }

    var styleItems: [String] { [itemID].compactMap { $0 } }

    /// What its service says of its tiles; nil for features.
    var offer: TileOffer? {
        switch content {
        case .replica: nil
        case .tiles(_, let info): info.offer
        case .vectorTiles(let info, _, _): info.offer
        }
    }
}

/// One layer or table of a feature service, with what each of the map's layers that show it wants of it.
struct ReplicaMember {
    var layer: LayerInfo
    var wishes: [RowWish]
    /// The same in every area.
    var stamp: LayerStamp
}
