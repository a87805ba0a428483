import Geography

/// Three houses a main, each with its short line from the main.
enum ConnectionLayer {
    static let housesPerStreet = 3

    static func make(_ streets: [Street]) -> FeatureTable {
        var rows: [FeatureTable.Row] = []
        rows.reserveCapacity(streets.count * housesPerStreet)
        for street in streets {
            for house in 0..<housesPerStreet { rows.append(row(rows.count, street, house)) }
        }
        return FeatureTable(
            id: 2, name: "Service Connection", geometry: .polyline,
            fields: [
                .objectID, .globalID, .text("ACCOUNT", "Account", length: 16), .text("ADDRESS", "Address", length: 120),
                .text("STATUS", "Status", length: 20), .double("METERSIZE", "Meter size in inches"),
                .date("CONNECTED", "Connected"),
            ], rows: rows, minScale: 20_000,
            drawingInfo: Renderers.unique(
                "STATUS", [("Abandoned", "Abandoned", Renderers.line("Dot", "[150,150,150,255]", width: 1))],
                other: Renderers.line("Solid", "[76,158,217,255]", width: 1)), lastEditDate: TownWords.lastEdit)
    }

    private static func row(_ index: Int, _ street: Street, _ house: Int) -> FeatureTable.Row {
        var random = SeededGenerator(2, index)
        let globalID = random.globalID()
        let spot = Line.point(on: street.path, at: (Double(house) + random.between(0.3, 0.8)) / Double(housesPerStreet))
        let side: Double = random.chance(0.5) ? 1 : -1
        let address = TownWords.address(street, &random)
        return FeatureTable.Row(
            objectID: index + 1, globalID: globalID,
            values: [
                .text("N" + HydrantLayer.padded(index + 1)), address,
                .text(
                    random.pick(["Active", "Active", "Active", "Active", "Active", "Active", "Active", "Planned", "Abandoned"])),
                random.chance(0.05) ? .null : .double(random.pick([0.625, 0.75, 1, 1.5, 2])), TownWords.installed(&random),
            ],
            shape: .polyline([
                [Line.beside(spot, metres: 4), Line.beside(spot, metres: side * (street.width / 2 + random.between(10, 18)))]
            ]))
    }
}
