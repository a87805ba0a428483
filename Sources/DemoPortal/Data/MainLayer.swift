import Geography

/// Water mains under the streets, four metres right of the middle; a few have a second part, the bypass of a pressure station.
enum MainLayer {
    static func make(_ streets: [Street]) -> FeatureTable {
        FeatureTable(
            id: 3, name: "Main", geometry: .polyline,
            fields: [
                .objectID, .globalID, .text("FACILITYID", "Facility", length: 20),
                .integer(
                    "DIAMETER", "Diameter in inches",
                    .coded(name: "MainDiameter", values: [4, 6, 8, 12, 16, 24].map { ($0, "\($0) in") })),
                .text("MATERIAL", "Material", length: 24), .double("LENGTH", "Length in metres of the map"),
                .date("INSTALLED", "Installed"), .text("STREET", "Street", length: 80), .small("LINED", "Lined"),
            ], rows: streets.enumerated().map(row),
            drawingInfo: Renderers.unique(
                "MATERIAL",
                [
                    ("Ductile iron", "Ductile iron", Renderers.line("Solid", "[0,92,230,255]", width: 2)),
                    ("Cast iron", "Cast iron", Renderers.line("Dash", "[0,56,140,255]", width: 2)),
                    ("PVC", "PVC", Renderers.line("Dot", "[0,132,168,255]", width: 2)),
                ], other: Renderers.line("Solid", "[110,110,200,255]", width: 1.5)), lastEditDate: TownWords.lastEdit)
    }

    private static func row(_ index: Int, _ street: Street) -> FeatureTable.Row {
        var random = SeededGenerator(3, index)
        let globalID = random.globalID()
        let path = Line.beside(street.path, metres: 4)
        let hasBypass = index % 37 == 11
        let parts = hasBypass ? [path, Array(Line.beside(street.path, metres: 9)[1...3])] : [path]
        return FeatureTable.Row(
            objectID: index + 1, globalID: globalID,
            values: [
                .text("MN-" + HydrantLayer.padded(index + 1)),
                .integer(street.isArterial ? random.pick([12, 16, 24]) : random.pick([4, 6, 8, 8])),
                random.chance(0.03) ? .null : .text(random.pick(["Ductile iron", "Ductile iron", "Cast iron", "PVC"])),
                .double(parts.reduce(0) { $0 + Line.length($1) }), TownWords.installed(&random), .text(street.name),
                random.chance(0.5) ? .null : .integer(Int64(random.below(2))),
            ], shape: .polyline(parts))
    }
}
