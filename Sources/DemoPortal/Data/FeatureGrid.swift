import Geography

/// Which features touch a box: a grid of cells, each with the numbers of the features whose boxes reach into it.
struct FeatureGrid: Sendable {
    private let extent: Envelope
    private let side: Int
    private let boxes: [Envelope?]
    /// Start of each cell's numbers in `numbers`, one more at the end.
    private let starts: [Int32]
    private let numbers: [Int32]

    init(boxes: [Envelope?], extent: Envelope) {
        self.extent = extent
        self.boxes = boxes
        // About two features a cell.
        side = max(1, min(512, Int((Double(boxes.count) / 2).squareRoot())))
        var counts = [Int32](repeating: 0, count: side * side + 1)
        let side = self.side
        func forEachCell(_ body: (_ cell: Int, _ number: Int32) -> Void) {
            for (number, box) in boxes.enumerated() {
                guard let box, let cells = Self.cells(box, extent: extent, side: side) else { continue }
                for row in cells.rows { for column in cells.columns { body(row * side + column, Int32(number)) } }
            }
        }
        forEachCell { cell, _ in counts[cell + 1] += 1 }
        for cell in 0..<side * side { counts[cell + 1] += counts[cell] }
        var next = counts
        var numbers = [Int32](repeating: 0, count: Int(counts[side * side]))
        forEachCell { cell, number in
            numbers[Int(next[cell])] = number
            next[cell] += 1
        }
        starts = counts
        self.numbers = numbers
    }

    init(_ table: FeatureTable, extent: Envelope) { self.init(boxes: table.rows.map { $0.shape?.envelope }, extent: extent) }

    /// The numbers of the features whose boxes touch `box`, ascending.
    func features(touching box: Envelope) -> [Int] {
        guard let cells = Self.cells(box, extent: extent, side: side) else { return [] }
        var found: [Int32] = []
        for row in cells.rows {
            let first = Int(starts[row * side + cells.columns.lowerBound])
            let end = Int(starts[row * side + cells.columns.upperBound + 1])
            for number in numbers[first..<end] where boxes[Int(number)]?.intersects(box) == true { found.append(number) }
        }
        found.sort()
        var result: [Int] = []
        result.reserveCapacity(found.count)
        for number in found where result.last != Int(number) { result.append(Int(number)) }
        return result
    }

    private static func cells(_ box: Envelope, extent: Envelope, side: Int) -> (
        rows: ClosedRange<Int>, columns: ClosedRange<Int>
    )? {
        guard box.intersects(extent) else { return nil }
        func cell(_ position: Double, _ low: Double, _ size: Double) -> Int {
            Int(max(0, min(Double(side - 1), (position - low) / size * Double(side))))
        }
        return (
            cell(box.ymin, extent.ymin, extent.height)...cell(box.ymax, extent.ymin, extent.height),
            cell(box.xmin, extent.xmin, extent.width)...cell(box.xmax, extent.xmin, extent.width)
        )
    }
}
