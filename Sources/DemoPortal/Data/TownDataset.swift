import Geography

/// All that the demo portal serves, made from fixed seeds: the same bytes on every machine and in every run.
struct TownDataset: Sendable {
    enum Size: Sendable {
        /// About 400 features in two kilometres: for tests.
        case hamlet
        /// About 20,000 water features.
        case town
        /// About 500,000 water features.
        case large
    }

    let plan: TownPlan
    var streets: [Street]
    /// Layers 0–4 and table 5.
    var water: [FeatureTable]
    var stormWater: [FeatureTable]
    /// A service without the Sync capability.
    var unsynced: [FeatureTable]
    var parks: [Polygon]
    var lakes: [Polygon]

    static func make(_ size: Size) -> TownDataset {
        let plan = TownPlan(size)
        let streets = Street.all(plan)
        let hydrants = HydrantLayer.make(streets)
        return TownDataset(
            plan: plan, streets: streets,
            water: [
                hydrants, ValveLayer.make(streets), ConnectionLayer.make(streets), MainLayer.make(streets),
                DistrictLayer.make(plan),
                InspectionTable.make(hydrants),
            ], stormWater: StormWaterTables.make(plan, streets), unsynced: [ParcelLayer.make(plan)], parks: Greens.parks(plan),
            lakes: Greens.lakes(plan))
    }

    /// Where the town is; Web Mercator metres.
    var extent: Envelope { plan.extent }
}
