import Geography

/// One street between two crossings.
struct Street: Sendable {
    var id: Int
    var name: String
    var isArterial: Bool
    /// Web Mercator metres.
    var path: [Coordinate]
    /// Metres between the kerbs.
    var width: Double { isArterial ? 22 : 12 }

    /// All streets of the plan. Only arterials bridge the river; a few blocks have no street between them.
    static func all(_ plan: TownPlan) -> [Street] {
        var streets: [Street] = []
        for line in 0...plan.blocks {
            let arterial = plan.isArterial(line: line)
            for block in 0..<plan.blocks {
                for isEastWest in [true, false] {
                    let path = (0...4).map { step in
                        let along = Double(block) + Double(step) / 4
                        return isEastWest ? plan.place(along, Double(line)) : plan.place(Double(line), along)
                    }
                    var random = SeededGenerator(900, (line * plan.blocks + block) * 2 + (isEastWest ? 1 : 0))
                    let bridges = plan.isWestOfRiver(path[0]) != plan.isWestOfRiver(path[4])
                    if !arterial && (bridges || random.chance(0.07)) { continue }
                    streets.append(
                        Street(
                            id: streets.count + 1, name: isEastWest ? eastWestName(line, plan) : northSouthName(line, plan),
                            isArterial: arterial, path: path))
                }
            }
        }
        return streets
    }

    private static func eastWestName(_ line: Int, _ plan: TownPlan) -> String {
        plan.isArterial(line: line)
            ? arterials[(line / max(2, plan.blocks / 5)) % arterials.count]
            : locals[line * 7 % locals.count] + (line < locals.count ? " Avenue" : " Avenue \(line / locals.count + 1)")
    }

    private static func northSouthName(_ line: Int, _ plan: TownPlan) -> String {
        plan.isArterial(line: line)
            ? arterials[(line / max(2, plan.blocks / 5) + 6) % arterials.count]
            : locals[(line * 11 + 3) % locals.count] + (line < locals.count ? " Street" : " Court \(line / locals.count + 1)")
    }

    private static let arterials = [
        "Ogden Avenue", "75th Street", "Aurora Avenue", "Diehl Road", "95th Street", "Hobson Road", "Washington Street",
        "Naper Boulevard", "Route 59", "Mill Street", "River Road", "Book Road",
    ]
    private static let locals = [
        "Jefferson", "Van Buren", "Benton", "Franklin", "School", "Spring", "Eagle", "Webster", "Ewing", "Wright", "Sleight",
        "Loomis",
        "Brainard", "Columbia", "Julian", "Chicago", "Porter", "Hillside", "Prairie", "Highland", "Gartner", "Modaff", "Laird",
        "Charles", "Huffman", "Müller", "O'Neill", "Élan", "Oakwood", "Whispering Hills", "Bailey", "Rickert", "Royce",
    ]
}
