import Basics

extension Problems {
    /// Whether a node is right for a shape that is neither a list nor an object.
    func accepts(_ node: Node, _ shape: Shape) -> Bool {
        switch shape {
        case .text(let form): return node.text.map { matches($0, form.pattern) } ?? false
        case .choice(let names): return node.text.map(names.contains) ?? false
        case .constant(let number): return node.plainInteger == number
        case .number(let minimum): return node.plainNumber.map { $0 >= minimum ?? -.infinity } ?? false
        case .integer(let minimum, let maximum):
            return node.plainInteger.map { $0 >= minimum && $0 <= maximum ?? .max } ?? false
        case .flag: return node.bool != nil
        case .length:
            if let text = node.text { return matches(text, Quantities.lengthPattern) }
            return node.plainNumber.map { $0 >= 0 } ?? false
        case .duration:
            if let text = node.text { return matches(text, Quantities.durationPattern) }
            return node.plainNumber.map { $0 > 0 } ?? false
        case .bytes:
            if let text = node.text { return matches(text, Quantities.bytesPattern) }
            return node.plainInteger.map { $0 >= 1 } ?? false
        case .age: return node.text.map(Quantities.ageWords.contains) == true || accepts(node, .duration)
        case .levelIDs: return node.levelIDs != nil
        case .list, .object, .either: return false
        }
    }

    /// Says that a node is wrong for its place, and why.
    mutating func refuse(_ node: Node, _ shape: Shape, name: String, isGuarded: Bool) {
        if isGuarded { hide(node) }
        let span = node.startSpan
        if node.scalar?.core == .null { return error(span, "`\(name)` has no value: it must be \(shape.words)") }
        if let scalar = node.scalar, scalar.isUnclearNumber, shape.takesNumbers {
            return error(
                span, "`\(scalar.text)` is not a plain decimal number",
                hint: "`\(name)` must be \(shape.words); write it without leading zeros")
        }
        if case .levelIDs = shape, refuseLevels(node) { return }
        var hint: String?
        switch shape {
        case .text(.areaID) where node.text != nil:
            hint = "for example `\(Paths.slug(node.text ?? ""))`: it is also the name of a folder"
        case .text(.url) where node.text?.contains("@") == true || node.text?.contains("?") == true,
            .text(.serviceURL) where node.text?.contains("@") == true || node.text?.contains("?") == true:
            hide(node)
            hint = "leave out user names, tokens and everything after `?`; signing in is `portal: auth`"
        case .text(.serviceURL) where node.text.map { matches($0, "Server/[0-9]+/?$") } == true:
            hint = "only feature services have single layers: leave out the number"
        case .text(.program) where !isGuarded || node.text != nil:
            hint = "no shell takes words apart: write a list, `[program, argument, …]`"
        case .text where node.scalar != nil && node.text == nil && !isGuarded:
            hint = "write it in quotes: `\"\(node.scalar?.text ?? "")\"`"
        case .choice(let names):
            if let text = node.text, let near = nearestName(to: text, among: names) { hint = "did you mean `\(near)`?" }
        case .flag where ["yes", "no", "on", "off"].contains(node.text?.lowercased()):
            hint = "in YAML 1.2 `\(node.text ?? "")` is text; write `true` or `false`"
        case .number, .integer, .constant:
            if node.text.map({ CoreValue(plain: $0) != .text }) == true { hint = "leave out the quotes" }
        case .object(let object):
            let names = object.keys.map { "`\($0.name)`" }.joined(separator: ", ")
            hint = "with the keys \(names)"
        default: break
        }
        let isOfKind = shape.takes(node)
        error(span, "`\(name)` must be \(shape.words)" + (isOfKind ? "" : ", not \(node.kindInWords)"), hint: hint)
    }
}

extension Problems {
    /// Names the level or the range that is wrong, where there is one.
    private mutating func refuseLevels(_ node: Node) -> Bool {
        let wrong = (node.items ?? []).filter { $0.levelIDs == nil || $0.integer == nil }
        for item in wrong {
            error(
                item.startSpan,
                "the level \(item.scalar.map { "`\($0.text)`" } ?? item.kindInWords) of `levelIDs` "
                    + "is not a plain whole number from 0 to \(Quantities.maximumLevel)")
        }
        if let text = node.text, matches(text, Quantities.levelsPattern) {
            error(node.span, "`levelIDs` holds a range that runs backwards", hint: "write the smaller level first, as in `12-17`")
            return true
        }
        return !wrong.isEmpty
    }
}

extension Scalar {
    /// A number in a spelling that people read differently than YAML does: `0x10`, `0o17`, `010`.
    var isUnclearNumber: Bool {
        switch core {
        case .integer, .decimal: matches(text, "^[-+]?0[0-9xo]")
        default: false
        }
    }
}

extension Node {
    var plainNumber: Double? { number.flatMap { $0.isFinite && scalar?.isUnclearNumber == false ? $0 : nil } }
    var plainInteger: Int? { integer.flatMap { scalar?.isUnclearNumber == false ? $0 : nil } }

    var metres: Double? { text.flatMap(Quantities.length) ?? plainNumber }
    var duration: Duration? { text.flatMap(Quantities.duration) ?? plainNumber.map(Quantities.duration(seconds:)) }

    var bytes: Int? { text.flatMap(Quantities.bytes) ?? plainInteger }

    var age: RefreshSetting? {
        switch text {
        case "always": .always
        case "never": .never
        default: duration.map(RefreshSetting.after)
        }
    }

    /// Sorted, without duplicates.
    var levelIDs: [Int]? {
        if let text { return matches(text, Quantities.levelsPattern) ? Quantities.levels(text) : nil }
        let nodes = items ?? (scalar == nil ? [] : [self])
        let levels = nodes.compactMap(\.plainInteger).filter { (0...Quantities.maximumLevel).contains($0) }
        return levels.isEmpty || levels.count != nodes.count ? nil : Set(levels).sorted()
    }
}

extension Shape {
    fileprivate var takesNumbers: Bool {
        switch self {
        case .number, .integer, .constant, .length, .duration, .bytes, .age, .levelIDs: true
        default: false
        }
    }

    /// Whether the node is of the right kind, so that only its value is wrong.
    fileprivate func takes(_ node: Node) -> Bool {
        switch self {
        case .text, .choice: node.text != nil
        case .number, .integer, .constant: node.number != nil
        case .length, .duration, .bytes, .age, .levelIDs: node.scalar != nil && node.bool == nil
        default: false
        }
    }
}
