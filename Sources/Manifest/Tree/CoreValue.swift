/// A plain scalar by the YAML 1.2 core schema (YAML 1.2.2, 10.3.2): `no`, `on`, `12:30` and `1_000` are text.
enum CoreValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case decimal(Double)
    case text
}

extension CoreValue {
    init(plain text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .bool(true)
        case "false", "False", "FALSE": self = .bool(false)
        case ".nan", ".NaN", ".NAN": self = .decimal(.nan)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": self = .decimal(.infinity)
        case "-.inf", "-.Inf", "-.INF": self = .decimal(-.infinity)
        default: self = Self.number(text) ?? .text
        }
    }

    private static func number(_ text: String) -> CoreValue? {
        let bytes = Array(text.utf8)
        if bytes.starts(with: Array("0x".utf8)), bytes.count > 2 { return whole(text.dropFirst(2), radix: 16) }
        if bytes.starts(with: Array("0o".utf8)), bytes.count > 2 { return whole(text.dropFirst(2), radix: 8) }
        guard let form = DecimalForm(bytes) else { return nil }
        // An integer beyond 64 bits stays a number; only its last digits are lost.
        if form.isWhole, let value = Int64(text) { return .integer(value) }
        // Swift reads neither "5." nor "+.5e3" the same on every platform, so the text is made regular first.
        return Double(form.regular).map(CoreValue.decimal)
    }

    private static func whole(_ digits: Substring, radix: Int) -> CoreValue? {
        guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }) else { return nil }
        return Int64(digits, radix: radix).map(CoreValue.integer)
    }
}

/// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
private struct DecimalForm {
    var isWhole = true
    var regular = ""

    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func sign() -> String {
            guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else { return "" }
            rest = rest.dropFirst()
            return first == UInt8(ascii: "-") ? "-" : ""
        }
        func digits() -> String {
            let found = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(found.count)
            return String(decoding: found, as: UTF8.self)
        }
        regular = sign()
        let whole = digits()
        var fraction = ""
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            isWhole = false
            fraction = digits()
        }
        if whole.isEmpty && fraction.isEmpty { return nil }
        regular += (whole.isEmpty ? "0" : whole) + "." + (fraction.isEmpty ? "0" : fraction)
        if let letter = rest.first, letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            isWhole = false
            let exponentSign = sign()
            let exponent = digits()
            if exponent.isEmpty { return nil }
            regular += "e" + exponentSign + exponent
        }
        if !rest.isEmpty { return nil }
    }
}
