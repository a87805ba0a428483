/// Columns of text. Flexible columns give way when the page is narrow; what is cut shows an ellipsis, and what wraps goes on below.
struct TextTable {
    struct Column {
        var title: String
        var alignment = Alignment.left
        var isFlexible = false
        /// For a last column of sentences: nothing of it is cut.
        var wraps = false

        /// A flexible column keeps this many columns of the terminal.
        var minimum = TextTable.narrowest

        var narrowest: Int { wraps ? TextTable.narrowestSentence : minimum }
    }

    struct Cell: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
        var text: String
        var colour: Ink.Colour?

        init(_ text: String, _ colour: Ink.Colour? = nil) {
            self.text = text.printable
            self.colour = colour
        }

        init(stringLiteral value: String) { self.init(value) }
    }

    /// A flexible column keeps this many columns.
    static let narrowest = 8
    /// And this many when it wraps.
    static let narrowestSentence = 32
    /// The widest a flexible column gets when there is no page width (files and pipes); the last one is not cut there.
    static let widest = 60

    var columns: [Column]
    var rows: [[Cell]]

    /// The heading and one line a row; a last column is not padded.
    func lines(page: Page, indent: String = "") -> [String] {
        let widths = widths(page: page, indent: indent.count)
        let heading = columns.map { Cell($0.title, .dim) }
        let start = String(repeating: " ", count: indent.count + widths.dropLast().reduce(0) { $0 + $1 + 2 })
        return ([heading] + rows).flatMap { row in
            var below: ArraySlice<String> = []
            let cells = zip(row, zip(columns, widths)).enumerated().map { index, item in
                let (cell, (column, width)) = item
                let pieces = column.wraps ? cell.text.wrapped(to: width) : [cell.text.elided(to: width)]
                below = pieces.dropFirst()
                let text = pieces.first ?? ""
                let isLast = index == columns.count - 1
                let padding = width - DisplayWidth.columns(of: text)
                let space = String(repeating: " ", count: isLast && column.alignment == .left ? 0 : padding)
                let inked = page.ink(text, cell.colour)
                return column.alignment == .left ? inked + space : space + inked
            }
            var line = indent + cells.joined(separator: "  ")
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            return [line] + below.map { start + $0 }
        }
    }

    /// Nothing has to be cut or wrapped.
    func fits(_ page: Page) -> Bool {
        page.width.map { widths(page: Page(), indent: 0).reduce(2 * (columns.count - 1), +) <= $0 } ?? true
    }

    private func widths(page: Page, indent: Int) -> [Int] {
        var widths = columns.indices.map { index in
            let content = rows.map { DisplayWidth.columns(of: $0[index].text) }.max() ?? 0
            let width = max(content, DisplayWidth.columns(of: columns[index].title))
            let isCut = page.width == nil && columns[index].isFlexible && index < columns.count - 1
            return isCut ? min(width, Self.widest) : width
        }
        guard let available = page.width else { return widths }
        var excess = widths.reduce(indent + 2 * (columns.count - 1), +) - available
        while excess > 0 {
            let shrinkable = columns.indices.filter { columns[$0].isFlexible && widths[$0] > columns[$0].narrowest }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
