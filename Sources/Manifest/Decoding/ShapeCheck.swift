import Basics
import Foundation

extension Problems {
    /// Compares what is written with what may stand there, down to the leaves. `name` is the key as the author knows it.
    mutating func check(_ node: Node, _ shape: Shape, name: String, isGuarded: Bool = false) {
        switch shape {
        case .object(let object): checkObject(node, object, name: name, isGuarded: isGuarded)
        case .list(let item, let minimum, let itemWords):
            guard let items = node.items else { return refuse(node, shape, name: name, isGuarded: isGuarded) }
            if items.count < minimum {
                error(node.span, "`\(name)` \(items.isEmpty ? "is empty" : "is too short"): it must be a list of \(itemWords)")
            }
            for entry in items { check(entry, item, name: name, isGuarded: isGuarded) }
        case .either(let scalar, let collection):
            if node.scalar == nil {
                check(node, collection, name: name, isGuarded: isGuarded)
            } else if accepts(node, scalar) {
                return
            } else if case .object(let object) = collection, object.isGuarded {
                hide(node)
                let example = object.keys.first.map { "for example `{ \($0.name): \($0.example) }`" }
                error(node.span, "`\(name)` must be \(shape.words)", hint: example)
            } else {
                refuse(node, scalar, name: name, isGuarded: isGuarded)
            }
        default:
            if !accepts(node, shape) { refuse(node, shape, name: name, isGuarded: isGuarded) }
        }
    }

    private mutating func checkObject(_ node: Node, _ object: ObjectShape, name: String, isGuarded: Bool) {
        guard let entries = node.entries else {
            if object.isSecret, let scalar = node.scalar, scalar.core != .null {
                hide(node)
                error(
                    node.span, "a literal secret does not belong in a file",
                    hint:
                        "say where `\(name)` is to be had: `{ env: NAME }`, `{ file: PATH }`, `{ credential: NAME }` or `{ command: [...] }`"
                )
                return
            }
            return refuse(node, .object(object), name: name, isGuarded: isGuarded || object.isGuarded)
        }
        for entry in entries {
            let key = entry.key.scalar?.text ?? ""
            if let known = object[key] {
                check(entry.value, known.shape, name: key, isGuarded: object.isGuarded)
            } else {
                if object.isGuarded || SecretWords.suspects(key) { hide(entry.value) }
                unknownKey(entry.key, key, object)
            }
        }
        let given = Set(entries.compactMap { $0.key.scalar?.text })
        for key in object.keys where key.isRequired && !given.contains(key.name) {
            error(node.startSpan, "`\(key.name)` is missing", hint: "for example `\(key.name): \(key.example)`")
        }
        for rule in object.rules { check(rule, node, given) }
    }

    private mutating func unknownKey(_ node: Node, _ key: String, _ object: ObjectShape) {
        let hint: String
        if key == "<<" {
            hint = "YAML 1.2 has no merge keys; write the keys out"
        } else if let near = nearestName(to: key, among: object.keys.map(\.name)) {
            hint = "did you mean `\(near)`?"
        } else {
            hint = "known keys here: " + object.keys.map { "`\($0.name)`" }.joined(separator: ", ")
        }
        // A key that may be a secret (`{ hunter2 }`) is not repeated.
        let isSecretText = object.isSecret && nearestName(to: key, among: object.keys.map(\.name)) == nil
        if isSecretText { hide(node) }
        error(node.span, isSecretText ? "unknown key" : "unknown key `\(key)`", hint: hint)
    }

    private mutating func check(_ rule: ObjectShape.Rule, _ node: Node, _ given: Set<String>) {
        switch rule {
        case .exactlyOne(let names):
            let found = names.filter(given.contains)
            let list = names.map { "`\($0)`" }.joined(separator: ", ")
            if found.isEmpty {
                error(node.startSpan, "one of \(list) is missing")
            } else if found.count > 1 {
                let span = node.entry(found[1])?.key.span ?? node.startSpan
                error(span, "only one of \(list) can be given", hint: "`\(found[0])` is given already")
            }
        case .required(let name, let other):
            if !given.contains(name) && !given.contains(other) {
                error(node.startSpan, "`\(name)` is missing", hint: "it may be left out only where `\(other)` is given")
            }
        case .notTogether(let first, let second, let why):
            if given.contains(first), given.contains(second), let entry = node.entry(second) {
                error(entry.key.span, "`\(second)` cannot stand beside `\(first)`", hint: why)
            }
        case .atLeast(let count, let otherwise, let hint):
            if given.count < count { error(node.startSpan, otherwise, hint: hint) }
        case .needs(let name, let other):
            if given.contains(name), !given.contains(other), let entry = node.entry(name) {
                error(entry.key.span, "`\(name)` needs `\(other)` beside it")
            }
        }
    }
}

extension Node {
    /// Only the first character of a collection: its end may be many lines on.
    var startSpan: Span { scalar == nil ? Span(line: span.line, column: span.column) : span }
}
