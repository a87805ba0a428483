import Geography

/// Pressure districts along the arterials: nine cells of the town, of which two corners are one multipart district, and the
/// middle one has a hole for the down town district.
enum DistrictLayer {
    static func make(_ plan: TownPlan) -> FeatureTable {
        let n = Double(plan.blocks)
        let cuts = [0, (n * 0.3).rounded(), (n * 0.65).rounded(), n]
        func cell(_ column: Int, _ row: Int) -> [Coordinate] {
            plan.ring(cuts[column], cuts[row], cuts[column + 1], cuts[row + 1], stepsPerSide: 12)
        }
        let inset = (cuts[2] - cuts[1]) / 4
        let downtown = plan.ring(cuts[1] + inset, cuts[1] + inset, cuts[2] - inset, cuts[2] - inset, stepsPerSide: 8)
        let shapes: [(name: String, rings: [[Coordinate]])] = [
            ("Downtown", [downtown]), ("Old Town", [cell(1, 1), downtown.reversed()]), ("Cress Creek", [cell(0, 2)]),
            ("Hobson West", [cell(0, 1)]), ("Outlying \"South\"", [cell(0, 0), cell(2, 0)]), ("Ashbury", [cell(1, 0)]),
            ("Brook Crossing", [cell(2, 1)]), ("Springbrook 春の小川", [cell(1, 2)]), ("Färmington", [cell(2, 2)]),
        ]
        return FeatureTable(
            id: 4, name: "Districts", geometry: .polygon,
            fields: [
                .objectID, .globalID, .text("NAME", "Name", length: 60), .small("ZONE", "Pressure zone"),
                .integer("POPULATION", "People"), .double("HEAD", "Pressure head in feet"), .date("REVIEWED", "Reviewed"),
            ],
            rows: shapes.enumerated().map { index, shape in
                var random = SeededGenerator(4, index)
                return FeatureTable.Row(
                    objectID: index + 1, globalID: random.globalID(),
                    values: [
                        .text(shape.name), .integer(Int64(1 + index % 3)),
                        index == 7 ? .null : .integer(Int64(4000 + random.below(30_000))), .double(random.between(700, 860)),
                        .date(TownWords.recent(&random)),
                    ], shape: .polygon(Polygon(rings: shape.rings)))
            },
            drawingInfo: Renderers.simple(
                Renderers.fill("[120,170,220,40]", outline: "[60,100,160,255]"), label: "District"),
            lastEditDate: TownWords.lastEdit)
    }
}
