import Geography

/// A valve where each main leaves its crossing.
enum ValveLayer {
    static func make(_ streets: [Street]) -> FeatureTable {
        FeatureTable(
            id: 1, name: "System Valve", geometry: .point,
            fields: [
                .objectID, .globalID, .text("FACILITYID", "Facility", length: 20),
                .small("TURNS", "Turns to close"), .double("DIAMETER", "Diameter in inches"),
                .text("VALVETYPE", "Kind", length: 20),
                .date("INSTALLED", "Installed"), .text("STATUS", "Status", length: 30),
            ], rows: streets.enumerated().map(row), minScale: 50_000,
            drawingInfo: Renderers.simple(Renderers.marker("Square", "[0,92,230,255]", size: 6), label: "Valve"),
            lastEditDate: TownWords.lastEdit)
    }

    private static func row(_ index: Int, _ street: Street) -> FeatureTable.Row {
        var random = SeededGenerator(1, index)
        let globalID = random.globalID()
        let spot = Line.point(on: Line.beside(street.path, metres: 4), at: random.between(0.03, 0.08))
        return FeatureTable.Row(
            objectID: index + 1, globalID: globalID,
            values: [
                .text("VLV-" + HydrantLayer.padded(index + 1)),
                random.chance(0.1) ? .null : .integer(Int64(9 + random.below(60))),
                .double(random.pick([4, 6, 8, 12])), .text(random.pick(["Gate", "Gate", "Gate", "Butterfly", "Ball"])),
                TownWords.installed(&random), .text(random.pick(["open", "open", "open", "closed", "seized"])),
            ], shape: .point(spot.place))
    }
}
