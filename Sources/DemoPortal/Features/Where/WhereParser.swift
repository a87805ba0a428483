/// Parses a where clause against the fields of a table: the part of SQL-92 that maps and scripts use. What it does not know, or
/// a comparison of kinds that do not fit, is refused as a service refuses it.
struct WhereParser {
    enum Problem: Error, Hashable, Sendable {
        case syntax(String)
        case unknownField(String)
    }

    private let fields: [FeatureTable.Field]
    /// Milliseconds since 1970 that `CURRENT_TIMESTAMP` stands for.
    private let now: Int64
    private var tokens: [WhereToken]
    private var position = 0
    private var depth = 0

    static func parse(_ clause: String, fields: [FeatureTable.Field], now: Int64) throws(Problem) -> WhereExpression {
        let tokens: [WhereToken]
        do throws(WhereSyntaxError) { tokens = try WhereLexer.tokens(clause) } catch { throw .syntax(error.reason) }
        var parser = WhereParser(fields: fields, now: now, tokens: tokens)
        let expression = try parser.disjunction()
        guard parser.peek == .end else { throw .syntax("text after the end of the clause") }
        return expression
    }

    private init(fields: [FeatureTable.Field], now: Int64, tokens: [WhereToken]) {
        self.fields = fields
        self.now = now
        self.tokens = tokens
    }

    // MARK: Conditions

    private mutating func disjunction() throws(Problem) -> WhereExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth < 100 else { throw .syntax("nested too deeply") }
        var left = try conjunction()
        while accept(keyword: "OR") { left = .or(left, try conjunction()) }
        return left
    }

    private mutating func conjunction() throws(Problem) -> WhereExpression {
        var left = try negation()
        while accept(keyword: "AND") { left = .and(left, try negation()) }
        return left
    }

    private mutating func negation() throws(Problem) -> WhereExpression {
        if accept(keyword: "NOT") { return .not(try negation()) }
        if peek == .symbol("(") {
            position += 1
            let inner = try disjunction()
            try expect(")")
            return inner
        }
        return try predicate()
    }

    private mutating func predicate() throws(Problem) -> WhereExpression {
        let left = try operand()
        if accept(keyword: "IS") {
            let isNegated = accept(keyword: "NOT")
            guard accept(keyword: "NULL") else { throw .syntax("NULL is missing after IS") }
            return isNegated ? .not(.isNull(left.value)) : .isNull(left.value)
        }
        let isNegated = accept(keyword: "NOT")
        let expression: WhereExpression
        if accept(keyword: "IN") {
            expression = .isIn(left.value, try list(fitting: left))
        } else if accept(keyword: "LIKE") {
            expression = try like(left)
        } else if accept(keyword: "BETWEEN") {
            let low = try fit(try operand(), to: left)
            guard accept(keyword: "AND") else { throw .syntax("AND is missing after BETWEEN") }
            expression = .between(left.value, low, try fit(try operand(), to: left))
        } else {
            if isNegated { throw .syntax("NOT stands before nothing that it can negate") }
            return try comparison(left)
        }
        return isNegated ? .not(expression) : expression
    }

    private mutating func comparison(_ left: TypedOperand) throws(Problem) -> WhereExpression {
        guard case .symbol(let symbol) = peek,
            let comparison = WhereExpression.Comparison(rawValue: symbol == "!=" ? "<>" : symbol)
        else { throw .syntax("a comparison is missing") }
        position += 1
        let right = try operand()
        if case .literal = left.value, case .column = right.value {
            return .compare(try fit(left, to: right), comparison, right.value)
        }
        return .compare(left.value, comparison, try fit(right, to: left))
    }

    private mutating func list(fitting left: TypedOperand) throws(Problem) -> [WhereExpression.Operand] {
        try expect("(")
        var items = [try fit(try operand(), to: left)]
        while peek == .symbol(",") {
            position += 1
            items.append(try fit(try operand(), to: left))
        }
        try expect(")")
        return items
    }

    private mutating func like(_ left: TypedOperand) throws(Problem) -> WhereExpression {
        guard left.kind == .text || left.kind == .null, case .text(let pattern) = peek else {
            throw .syntax("LIKE compares text")
        }
        position += 1
        var escape: Character?
        if accept(keyword: "ESCAPE") {
            guard case .text(let text) = peek, text.count == 1 else { throw .syntax("ESCAPE takes one character") }
            position += 1
            escape = text.first
        }
        return .like(left.value, pattern: pattern, escape: escape)
    }

    // MARK: Operands

    private enum Kind { case number, text, date, guid, null }

    private struct TypedOperand {
        var value: WhereExpression.Operand
        var kind: Kind
    }

    private mutating func operand() throws(Problem) -> TypedOperand {
        let token = peek
        position += 1
        switch token {
        case .text(let text): return TypedOperand(value: .literal(.text(text)), kind: .text)
        case .number(let value, let isWhole): return Self.number(value, isWhole: isWhole)
        case .symbol("-"):
            guard case .number(let value, let isWhole) = peek else { throw .syntax("a number is missing after -") }
            position += 1
            return Self.number(-value, isWhole: isWhole)
        case .quotedWord(let name): return try column(name)
        case .word(let word): return try self.word(word)
        case .symbol, .end: throw .syntax("a value or a field is missing")
        }
    }

    private static func number(_ value: Double, isWhole: Bool) -> TypedOperand {
        if isWhole, let whole = Int64(exactly: value) { return TypedOperand(value: .literal(.integer(whole)), kind: .number) }
        return TypedOperand(value: .literal(.double(value)), kind: .number)
    }

    private mutating func word(_ word: String) throws(Problem) -> TypedOperand {
        switch word.uppercased() {
        case "NULL": return TypedOperand(value: .literal(.null), kind: .null)
        case "TIMESTAMP", "DATE":
            if case .text(let text) = peek {
                position += 1
                guard let date = DateLiteral.milliseconds(text) else { throw .syntax("'\(text)' is not a date") }
                return TypedOperand(value: .literal(.date(date)), kind: .date)
            }
        case "CURRENT_TIMESTAMP": return try moment(now)
        case "CURRENT_DATE": return try moment(now - (now % 86_400_000 + 86_400_000) % 86_400_000)
        case "UPPER", "LOWER":
            if peek == .symbol("(") {
                position += 1
                let inner = try operand()
                try expect(")")
                guard case .column(let index) = inner.value, inner.kind == .text else {
                    throw .syntax("\(word) takes a text field")
                }
                let column = WhereExpression.Operand.Column(index: index)
                return TypedOperand(value: word.uppercased() == "UPPER" ? .upper(column) : .lower(column), kind: .text)
            }
        default: break
        }
        return try column(word)
    }

    /// `CURRENT_TIMESTAMP - INTERVAL '7' DAY`.
    private mutating func moment(_ start: Int64) throws(Problem) -> TypedOperand {
        var time = start
        while case .symbol(let sign) = peek, sign == "+" || sign == "-" {
            position += 1
            guard accept(keyword: "INTERVAL"), case .text(let text) = peek, let count = Int64(text) else {
                throw .syntax("INTERVAL is missing")
            }
            position += 1
            guard case .word(let unit) = peek else { throw .syntax("INTERVAL has no unit") }
            position += 1
            let units: [String: Int64] = ["DAY": 86_400_000, "HOUR": 3_600_000, "MINUTE": 60_000, "SECOND": 1000]
            guard let size = units[unit.uppercased()] else { throw .syntax("\(unit) is not a unit of INTERVAL") }
            time += (sign == "-" ? -1 : 1) * count * size
        }
        return TypedOperand(value: .literal(.date(time)), kind: .date)
    }

    private func column(_ name: String) throws(Problem) -> TypedOperand {
        guard let index = fields.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw .unknownField(name)
        }
        let kind: Kind =
            switch fields[index].kind {
            case .objectID, .smallInteger, .integer, .double: .number
            case .string: .text
            case .date: .date
            case .globalID, .guid: .guid
            }
        return TypedOperand(value: .column(index), kind: kind)
    }

    /// The right side as the left side needs it: a text is a date beside a date field and a normalised GUID beside a GUID field.
    private func fit(_ right: TypedOperand, to left: TypedOperand) throws(Problem) -> WhereExpression.Operand {
        switch (left.kind, right.kind) {
        case (.number, .number), (.text, .text), (.date, .date), (.guid, .guid), (_, .null), (.null, _): return right.value
        case (.date, .text):
            guard case .literal(.text(let text)) = right.value, let date = DateLiteral.milliseconds(text) else {
                throw .syntax("a date field is compared with something else")
            }
            return .literal(.date(date))
        case (.guid, .text):
            guard case .literal(.text(let text)) = right.value else {
                throw .syntax("a GUID field is compared with something else")
            }
            let bare = text.uppercased().filter { $0 != "{" && $0 != "}" }
            return .literal(.text("{\(bare)}"))
        default: throw .syntax("kinds that do not fit are compared")
        }
    }

    // MARK: Tokens

    private var peek: WhereToken { tokens[min(position, tokens.count - 1)] }

    private mutating func accept(keyword: String) -> Bool {
        guard case .word(let word) = peek, word.uppercased() == keyword else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ symbol: String) throws(Problem) {
        guard peek == .symbol(symbol) else { throw .syntax("\(symbol) is missing") }
        position += 1
    }
}
