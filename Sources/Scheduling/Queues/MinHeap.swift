/// The smallest element first; adding and taking cost the logarithm of the number of elements.
struct MinHeap<Element: Comparable & Sendable>: Sendable {
    private var items: [Element] = []

    var min: Element? { items.first }

    mutating func insert(_ element: Element) {
        items.append(element)
        var child = items.count - 1
        while child > 0, items[child] < items[(child - 1) / 2] {
            items.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popMin() -> Element? {
        guard let first = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return first }
        items[0] = last
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < items.count && items[child] < items[smallest] {
                smallest = child
            }
            if smallest == parent { return first }
            items.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
