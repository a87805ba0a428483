import Basics

/// One step down a JSON document.
public enum JSONStep: Sendable, Hashable {
    case key(String)
    case index(Int)
}

extension JSON {
    /// The value at the end of a path; nil where the document goes another way.
    public func value(at path: some Sequence<JSONStep>) -> JSON? {
        var value = self
        for step in path {
            let next: JSON? =
                switch step {
                case .key(let key): value[key]
                case .index(let index): value[index]
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    /// The document with the value at a path changed; unchanged when the path leads nowhere.
    public func changing(_ path: some Collection<JSONStep>, _ change: (JSON) -> JSON) -> JSON {
        guard let step = path.first else { return change(self) }
        let rest = path.dropFirst()
        switch (step, self) {
        case (.key(let key), .object(var object)):
            guard let value = object[key] else { return self }
            object[key] = value.changing(rest, change)
            return .object(object)
        case (.index(let index), .array(var items)) where items.indices.contains(index):
            items[index] = items[index].changing(rest, change)
            return .array(items)
        default: return self
        }
    }
}
