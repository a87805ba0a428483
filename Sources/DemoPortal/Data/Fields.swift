extension FeatureTable.Field {
    static let objectID = Self(name: "OBJECTID", kind: .objectID, alias: "Object ID")
    static let globalID = Self(name: "GlobalID", kind: .globalID, alias: "Global ID", length: 38)

    static func text(_ name: String, _ alias: String, length: Int, _ domain: FeatureTable.Field.Domain? = nil) -> Self {
        Self(name: name, kind: .string, alias: alias, length: length, domain: domain)
    }
    static func date(_ name: String, _ alias: String) -> Self { Self(name: name, kind: .date, alias: alias, length: 8) }
    static func guid(_ name: String, _ alias: String) -> Self { Self(name: name, kind: .guid, alias: alias, length: 38) }
    static func double(_ name: String, _ alias: String, _ domain: FeatureTable.Field.Domain? = nil) -> Self {
        Self(name: name, kind: .double, alias: alias, domain: domain)
    }
    static func integer(_ name: String, _ alias: String, _ domain: FeatureTable.Field.Domain? = nil) -> Self {
        Self(name: name, kind: .integer, alias: alias, domain: domain)
    }
    static func small(_ name: String, _ alias: String, _ domain: FeatureTable.Field.Domain? = nil) -> Self {
        Self(name: name, kind: .smallInteger, alias: alias, domain: domain)
    }
}

/// Values that several tables share.
enum TownWords {
    /// 2024-06-01T00:00:00Z, when the town's data was last edited.
    static let lastEdit: Int64 = 1_717_200_000_000
    private static let day: Int64 = 86_400_000

    /// A day between 1893-01-01 and 2024-01-01: most water works are older than 1970, where epoch milliseconds are negative.
    static func installed(_ random: inout SeededGenerator) -> FeatureTable.Value {
        if random.chance(0.06) { return .null }
        return .date(Int64(-28_123 + random.below(47_846)) * day)
    }

    /// A moment between 2018-01-01 and 2024-01-01, to the millisecond.
    static func recent(_ random: inout SeededGenerator) -> Int64 {
        1_514_764_800_000 + Int64(random.below(2191)) * day + Int64(random.below(86_400_000))
    }

    static let inspectors = [
        "Jürgen Groß", "Anna Nguyễn", "山田 太郎", "Maria O'Brien", "Łukasz Wójcik", "Sam \"Doc\" Miller", "Zoë Ångström",
        "Bob Smith",
    ]

    static func address(_ street: Street, _ random: inout SeededGenerator) -> FeatureTable.Value {
        random.chance(0.04) ? .null : .text("\(100 + random.below(2900)) \(street.name)")
    }
}
