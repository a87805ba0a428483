import Basics

/// When portal items were last changed, by id in lower case; milliseconds since 1970.
public struct ItemEdits: Sendable {
    public var times: [String: Int] = [:]
    /// Why nobody could tell now. An item that the portal does not show, or of which it does not say it, is in neither.
    public var unanswered: [String: ArcGISError] = [:]

    public init() {}
}

extension ArcGISClient {
    /// One search answers for a hundred of them. What it leaves out is asked for by its id: an index may lag behind, or be built anew.
    public func itemEdits(_ ids: [String]) async -> ItemEdits {
        let all = Set(ids.map { $0.lowercased() }).sorted()
        var edits = ItemEdits()
        for start in stride(from: 0, to: all.count, by: 100) {
            let some = Array(all[start..<min(start + 100, all.count)])
            var left = some
            if some.count > 1 {
                do throws(ArcGISError) {
                    let found = try await search(some)
                    for item in found { edits.times[item.id.lowercased()] = item.modified }
                    let names = Set(found.map { $0.id.lowercased() })
                    left.removeAll(where: names.contains)
                } catch  where error.isTransient {
                    for id in some { edits.unanswered[id] = error }
                    continue
                } catch {}
            }
            await ask(left, &edits)
        }
        return edits
    }

    private func search(_ ids: [String]) async throws(ArcGISError) -> [PortalItem] {
        let query = ids.map { "id:\($0)" }.joined(separator: " OR ")
        let url = portal.sharing + "/search"
        let answer = try await json(url, ["q": query, "num": "100"])
        return (answer["results"]?.array ?? []).map(PortalItem.init)
    }

    /// A portal that is down is asked once.
    private func ask(_ ids: [String], _ edits: inout ItemEdits) async {
        var failure: ArcGISError?
        for id in ids {
            if let failure {
                edits.unanswered[id] = failure
                continue
            }
            do throws(ArcGISError) {
                edits.times[id] = try await item(id).modified
            } catch {
                guard error.isTransient else { continue }
                failure = error
                edits.unanswered[id] = error
            }
        }
    }
}
