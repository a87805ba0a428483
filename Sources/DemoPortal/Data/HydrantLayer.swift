import Geography

/// Hydrants, one along each main; some are known but "surveyed later" and have no geometry.
enum HydrantLayer {
    static func make(_ streets: [Street]) -> FeatureTable {
        var table = FeatureTable(
            id: 0, name: "Hydrant", geometry: .point, fields: fields, rows: streets.enumerated().map(row),
            relationships: [
                .init(id: 0, name: "Hydrant_Inspections", relatedTableID: 5, isOrigin: true, keyField: "GlobalID")
            ], hasAttachments: true, drawingInfo: drawingInfo, lastEditDate: TownWords.lastEdit)
        table.attachments = attachments(table.rows)
        return table
    }

    private static let fields: [FeatureTable.Field] = [
        .objectID, .globalID, .text("FACILITYID", "Facility", length: 20),
        .small(
            "TYPE", "Type",
            .coded(name: "HydrantType", values: [(1, "Dry barrel"), (2, "Wet barrel"), (3, "Flush"), (4, "Dry pipe (rural)")])),
        .double("FLOW", "Flow in gallons a minute", .range(name: "HydrantFlow", min: 0, max: 3000)),
        .integer("PRESSURE", "Static pressure in psi"), .date("INSTALLED", "Installed"), .text("STATUS", "Status", length: 50),
        .text("ADDRESS", "Address", length: 120), .text("INSPECTOR", "Last inspected by", length: 60),
        .text("NOTES", "Notes", length: 255),
    ]

    private static func row(_ index: Int, _ street: Street) -> FeatureTable.Row {
        var random = SeededGenerator(0, index)
        let globalID = random.globalID()
        let isSurveyed = index % 29 != 7
        let flow = (random.between(180, 1900) * 2).rounded() / 2
        let spot = Line.point(on: street.path, at: random.between(0.15, 0.85))
        let notes = [
            "Behind the \"Old Mill\" sign", "Cap missing", "Straße gesperrt", "消火栓、歩道の横", "Don't block; chain is short",
            "Paint: red\nBonnet: yellow",
        ]
        return FeatureTable.Row(
            objectID: index + 1, globalID: globalID,
            values: [
                .text("HYD-" + padded(index + 1)), .integer(Int64(1 + min(3, random.below(7)))),
                random.chance(0.05) ? .null : .double(flow), random.chance(0.1) ? .null : .integer(Int64(35 + random.below(60))),
                TownWords.installed(&random),
                .text(isSurveyed ? random.pick(["in service", "in service", "in service", "out of service"]) : "surveyed later"),
                TownWords.address(street, &random), random.chance(0.3) ? .null : .text(random.pick(TownWords.inspectors)),
                random.chance(0.08) ? .text(random.pick(notes)) : random.chance(0.2) ? .text("") : .null,
            ],
            shape: isSurveyed ? .point(Line.beside(spot, metres: street.width / 2 + 3)) : nil)
    }

    /// Pictures on a few dozen hydrants, now and then two on one.
    private static func attachments(_ rows: [FeatureTable.Row]) -> [FeatureTable.Attachment] {
        let pictures = HydrantPicture.all
        let count = min(44, max(3, rows.count / 60))
        let stride = rows.count / count
        return (0..<count).map { number in
            var random = SeededGenerator(50, number)
            // Every fifth picture is a second one of the hydrant before.
            let owner = rows[(number % 5 == 4 ? number - 1 : number) * stride]
            let picture = pictures[number % pictures.count]
            return FeatureTable.Attachment(
                id: number + 1, globalID: random.globalID(), parentGlobalID: owner.globalID,
                name: number % 7 == 3 ? "Größe \(number).\(picture.suffix)" : "hydrant-\(owner.objectID).\(picture.suffix)",
                contentType: picture.contentType, data: picture.data)
        }
    }

    private static let drawingInfo = Renderers.unique(
        "STATUS",
        [
            ("in service", "In service", Renderers.marker("Circle", "[214,47,39,255]", size: 8)),
            ("out of service", "Out of service", Renderers.marker("X", "[110,110,110,255]", size: 8)),
        ], other: Renderers.marker("Circle", "[240,160,60,255]", size: 6))

    static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
