import Basics
import Synchronization

/// The one place where what the portal serves is changed while it runs. A request that has begun sees the content of before or the
/// content of after: an edit makes new content and a new router, and then the router is exchanged.
final class ContentEditor: Sendable {
    private let content: Mutex<Content>
    private let publish: @Sendable (Content, ContentEditor) -> Void
    private let clock: @Sendable () -> Double

    init(
        _ content: Content, clock: @escaping @Sendable () -> Double,
        publish: @escaping @Sendable (Content, ContentEditor) -> Void
    ) {
        self.content = Mutex(content)
        self.clock = clock
        self.publish = publish
    }

    /// One edit after the other. `body` gets the time in milliseconds; if it throws, nothing has changed.
    func edit<Result: Sendable>(
        _ body: (inout Content, Int64) throws(RESTError) -> sending Result
    ) throws(RESTError) -> Result {
        let outcome: Swift.Result<Result, RESTError> = content.withLock { content in
            var changed = content
            do throws(RESTError) {
                let result = try body(&changed, Int64(clock() * 1000))
                content = changed
                publish(changed, self)
                return .success(result)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}

extension Content {
    /// Changes one table of a feature service; its indexes are made anew.
    mutating func change<Result>(
        _ path: String, _ id: Int, _ body: (inout FeatureTable) throws(RESTError) -> Result
    ) throws(RESTError) -> Result {
        guard var service = catalogue.features[path], let index = service.tables.firstIndex(where: { $0.id == id }) else {
            throw .invalidURL
        }
        var table = service.tables[index].table
        let result = try body(&table)
        service.tables[index] = ServedTable(table)
        catalogue.features[path] = service
        return result
    }
}

extension FeatureTable {
    /// The stamps move as ArcGIS moves them: each edit leaves a later time than the one before.
    mutating func rowsWereEdited(at time: Int64) {
        if schemaEditDate == nil { schemaEditDate = lastEditDate }
        lastEditDate = max(time, lastEditDate + 1)
    }

    mutating func schemaWasEdited(at time: Int64) {
        schemaEditDate = max(time, max(schemaEditDate ?? 0, lastEditDate) + 1)
    }
}
