/// Inspections of hydrants, related by the hydrant's global id; a few lost their hydrant.
enum InspectionTable {
    static func make(_ hydrants: FeatureTable) -> FeatureTable {
        FeatureTable(
            id: 5, name: "Inspections", geometry: nil,
            fields: [
                .objectID, .globalID, .guid("HYDRANTGUID", "Hydrant"), .date("INSPECTED", "Inspected"),
                .small(
                    "RESULT", "Result",
                    .coded(name: "InspectionResult", values: [(0, "Failed"), (1, "Passed"), (2, "Passed with remarks")])),
                .double("FLOW", "Measured flow"), .text("INSPECTOR", "Inspector", length: 60),
                .text("REMARKS", "Remarks", length: 1000),
            ],
            rows: hydrants.rows.indices.map { index in
                var random = SeededGenerator(5, index)
                let globalID = random.globalID()
                // Some hydrants have several inspections, some none.
                let hydrant = hydrants.rows[random.below(hydrants.rows.count)]
                let result = random.pick([1, 1, 1, 1, 2, 0])
                return FeatureTable.Row(
                    objectID: index + 1, globalID: globalID,
                    values: [
                        index % 101 == 50 ? .null : .text(hydrant.globalID), .date(TownWords.recent(&random)),
                        .integer(Int64(result)),
                        result == 0 ? .null : .double((random.between(200, 1900) * 10).rounded() / 10),
                        .text(random.pick(TownWords.inspectors)),
                        result == 1
                            ? .null
                            : .text(random.pick(["Leaks at the base", "Cap \"frozen\"", "Ventil klemmt – geölt", "要修理"])),
                    ], shape: nil)
            },
            relationships: [
                .init(id: 0, name: "Hydrant_Inspections", relatedTableID: 0, isOrigin: false, keyField: "HYDRANTGUID")
            ], lastEditDate: TownWords.lastEdit)
    }
}
