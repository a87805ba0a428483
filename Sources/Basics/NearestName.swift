/// "Did you mean": the known name with the smallest edit distance, if it is near enough to be a slip.
public func nearestName(to name: String, among known: some Sequence<String>) -> String? {
    let typed = Array(name.lowercased())
    let limit = max(1, typed.count / 3)
    return known.map { ($0, editDistance(typed, Array($0.lowercased()))) }
        .filter { $0.1 <= limit }
        .min { $0.1 < $1.1 }?.0
}

/// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
            row.append(best)
        }
        rows.append(row)
    }
    return rows[a.count][b.count]
}
