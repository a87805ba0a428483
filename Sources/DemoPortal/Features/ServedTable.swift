import Geography

/// A table with the look-ups that requests need.
struct ServedTable: Sendable {
    let table: FeatureTable
    /// One a row; nil for rows without shape.
    let envelopes: [Envelope?]
    /// Row position by object id and by global id.
    let rowOfObjectID: [Int: Int]
    let rowOfGlobalID: [String: Int]
    let extent: Envelope?
    let attachmentsOfParent: [String: [Int]]

    init(_ table: FeatureTable) {
        self.table = table
        envelopes = table.rows.map { $0.shape?.envelope }
        rowOfObjectID = Dictionary(table.rows.enumerated().map { ($1.objectID, $0) }, uniquingKeysWith: { a, _ in a })
        rowOfGlobalID = Dictionary(table.rows.enumerated().map { ($1.globalID, $0) }, uniquingKeysWith: { a, _ in a })
        extent = envelopes.reduce(nil as Envelope?) { sum, next in
            guard let next else { return sum }
            return sum?.union(next) ?? next
        }
        attachmentsOfParent = Dictionary(grouping: table.attachments.indices) { table.attachments[$0].parentGlobalID }
    }

    var id: Int { table.id }
    var isTable: Bool { table.geometry == nil }

    func field(named name: String) -> Int? {
        table.fields.firstIndex { $0.name == name } ?? table.fields.firstIndex { $0.name.lowercased() == name.lowercased() }
    }

    /// Positions of the rows that pass, in row order.
    func rows(matching filter: RowFilter) -> [Int] {
        table.rows.indices.filter { index in
            let row = table.rows[index]
            if let ids = filter.objectIDs, !ids.contains(row.objectID) { return false }
            if let area = filter.area {
                guard let envelope = envelopes[index], let shape = row.shape, area.envelope.intersects(envelope) else {
                    return false
                }
                if !area.intersects(shape, envelope: envelope) { return false }
            }
            return filter.clause.map { $0.evaluate(row) == true } ?? true
        }
    }
}

/// What a row must meet; absent parts do not ask.
struct RowFilter: Sendable {
    var clause: WhereExpression?
    var area: AreaFilter?
    var objectIDs: Set<Int>?
}
