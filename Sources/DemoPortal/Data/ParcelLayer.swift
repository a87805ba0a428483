import Geography

/// Parcels: the service that cannot sync. Two a block.
enum ParcelLayer {
    static func make(_ plan: TownPlan) -> FeatureTable {
        var rows: [FeatureTable.Row] = []
        for i in 0..<plan.blocks {
            for j in 0..<plan.blocks {
                for half in 0..<2 {
                    var random = SeededGenerator(20, rows.count)
                    let west = Double(i) + (half == 0 ? 0.08 : 0.5)
                    let ring = plan.ring(west, Double(j) + 0.08, west + 0.42, Double(j) + 0.92, stepsPerSide: 1)
                    rows.append(
                        FeatureTable.Row(
                            objectID: rows.count + 1, globalID: random.globalID(),
                            values: [
                                .text("07-\(i)-\(j)-\(half)"), .text(random.pick(["Residential", "Commercial", "Park"])),
                                .integer(Int64(60_000 + random.below(900_000))),
                            ], shape: .polygon(Polygon(rings: [ring]))))
                }
            }
        }
        return FeatureTable(
            id: 0, name: "Parcels", geometry: .polygon,
            fields: [
                .objectID, .globalID, .text("PIN", "Parcel number", length: 30), .text("LANDUSE", "Land use", length: 30),
                .integer("VALUE", "Assessed value"),
            ], rows: rows,
            drawingInfo: Renderers.simple(Renderers.fill("[240,230,200,80]", outline: "[160,140,110,255]"), label: "Parcel"),
            lastEditDate: TownWords.lastEdit)
    }
}
