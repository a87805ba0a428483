import Geography

/// The storm water service: drains at the kerbs, pipes left of the street's middle, catchments of several blocks.
enum StormWaterTables {
    static func make(_ plan: TownPlan, _ streets: [Street]) -> [FeatureTable] {
        [drains(streets), pipes(streets), catchments(plan)]
    }

    private static func drains(_ streets: [Street]) -> FeatureTable {
        FeatureTable(
            id: 0, name: "Storm Drain", geometry: .point,
            fields: [
                .objectID, .globalID, .text("ASSET", "Asset", length: 20), .double("DEPTH", "Depth in feet"),
                .date("CLEANED", "Cleaned"),
            ],
            rows: streets.enumerated().map { index, street in
                var random = SeededGenerator(10, index)
                let globalID = random.globalID()
                let spot = Line.point(on: street.path, at: random.between(0.1, 0.9))
                return FeatureTable.Row(
                    objectID: index + 1, globalID: globalID,
                    values: [
                        .text("SD-\(index + 1)"), .double((random.between(2, 14) * 4).rounded() / 4),
                        random.chance(0.2) ? .null : .date(TownWords.recent(&random)),
                    ], shape: .point(Line.beside(spot, metres: -street.width / 2)))
            }, drawingInfo: Renderers.simple(Renderers.marker("Square", "[30,110,60,255]", size: 5), label: "Drain"),
            lastEditDate: TownWords.lastEdit)
    }

    private static func pipes(_ streets: [Street]) -> FeatureTable {
        FeatureTable(
            id: 1, name: "Storm Pipe", geometry: .polyline,
            fields: [
                .objectID, .globalID, .text("ASSET", "Asset", length: 20), .integer("DIAMETER", "Diameter in inches"),
                .text("MATERIAL", "Material", length: 20), .date("INSTALLED", "Installed"),
            ],
            rows: streets.enumerated().map { index, street in
                var random = SeededGenerator(11, index)
                return FeatureTable.Row(
                    objectID: index + 1, globalID: random.globalID(),
                    values: [
                        .text("SP-\(index + 1)"), .integer(random.pick([12, 18, 24, 36, 48])),
                        .text(random.pick(["Concrete", "Clay", "HDPE"])), TownWords.installed(&random),
                    ], shape: .polyline([Line.beside(street.path, metres: -4)]))
            }, drawingInfo: Renderers.simple(Renderers.line("Solid", "[40,140,80,255]", width: 1.5), label: "Pipe"),
            lastEditDate: TownWords.lastEdit)
    }

    private static func catchments(_ plan: TownPlan) -> FeatureTable {
        let side = max(2, plan.blocks / 10)
        let starts = Array(stride(from: 0, to: plan.blocks, by: side))
        let cells = starts.flatMap { west in starts.map { south in (west, south) } }
        return FeatureTable(
            id: 2, name: "Catchment", geometry: .polygon,
            fields: [
                .objectID, .globalID, .text("NAME", "Name", length: 40), .double("IMPERVIOUS", "Sealed share"),
                .small("CLASS", "Class", .coded(name: "CatchmentClass", values: [(1, "Urban"), (2, "Suburban"), (3, "Rural")])),
            ],
            rows: cells.enumerated().map { index, cell in
                var random = SeededGenerator(12, index)
                let east = min(plan.blocks, cell.0 + side)
                let north = min(plan.blocks, cell.1 + side)
                return FeatureTable.Row(
                    objectID: index + 1, globalID: random.globalID(),
                    values: [
                        .text("Catchment \(index + 1)"), .double(random.unit()), .integer(Int64(1 + random.below(3))),
                    ],
                    shape: .polygon(
                        Polygon(rings: [
                            plan.ring(Double(cell.0), Double(cell.1), Double(east), Double(north), stepsPerSide: 6)
                        ])))
            }, drawingInfo: Renderers.simple(Renderers.fill("[180,215,160,60]", outline: "[90,150,70,255]"), label: "Catchment"),
            lastEditDate: TownWords.lastEdit)
    }
}
