/// A parsed where clause. Truth has three values: a comparison with NULL is neither true nor false.
indirect enum WhereExpression: Sendable, Hashable {
    enum Comparison: String, Sendable, Hashable {
        case equal = "="
        case notEqual = "<>"
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    enum Operand: Sendable, Hashable {
        case column(Int)
        case literal(FeatureTable.Value)
        case upper(Column)
        case lower(Column)

        /// The column inside a text function.
        struct Column: Sendable, Hashable { var index: Int }
    }

    case always(Bool)
    case compare(Operand, Comparison, Operand)
    case isIn(Operand, [Operand])
    case like(Operand, pattern: String, escape: Character?)
    case between(Operand, Operand, Operand)
    case isNull(Operand)
    case not(WhereExpression)
    case and(WhereExpression, WhereExpression)
    case or(WhereExpression, WhereExpression)
}

extension WhereExpression {
    /// nil is SQL's "unknown"; a row passes only when the answer is true.
    func evaluate(_ row: FeatureTable.Row) -> Bool? {
        switch self {
        case .always(let truth): return truth
        case .compare(let left, let comparison, let right):
            return Self.compare(left.value(row), comparison, right.value(row))
        case .isIn(let operand, let items):
            var isUnknown = false
            for item in items {
                switch Self.compare(operand.value(row), .equal, item.value(row)) {
                case true?: return true
                case nil: isUnknown = true
                case false?: break
                }
            }
            return isUnknown ? nil : false
        case .like(let operand, let pattern, let escape):
            guard case .text(let text) = operand.value(row) else { return nil }
            return LikePattern.matches(pattern, text, escape: escape)
        case .between(let operand, let low, let high):
            let value = operand.value(row)
            return Self.and(
                Self.compare(value, .greaterOrEqual, low.value(row)), Self.compare(value, .lessOrEqual, high.value(row)))
        case .isNull(let operand): return operand.value(row) == .null
        case .not(let inner): return inner.evaluate(row).map { !$0 }
        case .and(let left, let right):
            let first = left.evaluate(row)
            return first == false ? false : Self.and(first, right.evaluate(row))
        case .or(let left, let right):
            let first = left.evaluate(row)
            if first == true { return true }
            let second = right.evaluate(row)
            return second == true ? true : (first == nil || second == nil ? nil : false)
        }
    }

    private static func and(_ a: Bool?, _ b: Bool?) -> Bool? {
        if a == false || b == false { return false }
        return a == nil || b == nil ? nil : true
    }

    private static func compare(_ left: FeatureTable.Value, _ comparison: Comparison, _ right: FeatureTable.Value) -> Bool? {
        guard let order = order(left, right) else { return nil }
        return switch comparison {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }

    /// -1, 0, 1; nil when one side is NULL. The parser has seen to it that kinds fit.
    static func order(_ left: FeatureTable.Value, _ right: FeatureTable.Value) -> Int? {
        switch (left, right) {
        case (.text(let a), .text(let b)): return a < b ? -1 : (a == b ? 0 : 1)
        case (.integer(let a), .integer(let b)), (.date(let a), .date(let b)): return a < b ? -1 : (a == b ? 0 : 1)
        default:
            guard let a = left.number, let b = right.number else { return nil }
            return a < b ? -1 : (a == b ? 0 : 1)
        }
    }
}

extension WhereExpression.Operand {
    func value(_ row: FeatureTable.Row) -> FeatureTable.Value {
        switch self {
        case .column(let index): return row.value(at: index)
        case .literal(let value): return value
        case .upper(let column):
            if case .text(let text) = row.value(at: column.index) { return .text(text.uppercased()) }
            return .null
        case .lower(let column):
            if case .text(let text) = row.value(at: column.index) { return .text(text.lowercased()) }
            return .null
        }
    }
}

extension FeatureTable.Value {
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}

extension FeatureTable.Row {
    /// By the position of the field in the table's list: 0 is the object id, 1 the global id.
    func value(at index: Int) -> FeatureTable.Value {
        switch index {
        case 0: .integer(Int64(objectID))
        case 1: .text(globalID)
        default: values[index - 2]
        }
    }
}

enum LikePattern {
    /// `%` any text, `_` one character; case counts, as on PostgreSQL-backed services.
    static func matches(_ pattern: String, _ text: String, escape: Character?) -> Bool {
        enum Part: Equatable {
            case any, one
            case exact(Character)
        }
        var parts: [Part] = []
        var isEscaped = false
        for character in pattern {
            if isEscaped {
                parts.append(.exact(character))
                isEscaped = false
            } else if character == escape {
                isEscaped = true
            } else {
                parts.append(character == "%" ? .any : character == "_" ? .one : .exact(character))
            }
        }
        let text = Array(text)
        var p = 0
        var t = 0
        var back: (part: Int, text: Int)?
        while t < text.count {
            if p < parts.count, parts[p] == .any {
                back = (p, t)
                p += 1
            } else if p < parts.count, parts[p] == .one || parts[p] == .exact(text[t]) {
                p += 1
                t += 1
            } else if let star = back {
                back = (star.part, star.text + 1)
                p = star.part + 1
                t = star.text + 1
            } else {
                return false
            }
        }
        return parts[p...].allSatisfy { $0 == .any }
    }
}
