import Planning

/// What `rollback` did.
public struct RollbackText: Sendable {
    public var from: Generation?
    public var to: Generation
    public var page: Page

    public init(from: Generation?, to: Generation, page: Page) {
        self.from = from
        self.to = to
        self.page = page
    }

    public var lines: [String] {
        if from == to { return ["\(to.area): \(named(to)) is current already"] }
        return [
            page.ink("\(to.area): \(named(to)) is current again", .green)
                + (from.map { ", instead of \(named($0))" } ?? "") + "; it was verified first",
            "The next run that publishes \(to.area) moves on from it, and says so.",
        ]
    }

    private func named(_ map: Generation) -> String { "\(map.name) (\(Moment.local(map.time, in: page.zone)))" }
}
