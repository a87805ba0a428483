/// The words of a where clause.
enum WhereToken: Hashable, Sendable {
    /// A keyword or a field name, as written.
    case word(String)
    /// A field name in double quotes.
    case quotedWord(String)
    case text(String)
    case number(Double, isWhole: Bool)
    case symbol(String)
    case end
}

struct WhereSyntaxError: Error, Hashable, Sendable {
    var reason: String
}

enum WhereLexer {
    static func tokens(_ clause: String) throws(WhereSyntaxError) -> [WhereToken] {
        var tokens: [WhereToken] = []
        let characters = Array(clause)
        var index = 0
        while index < characters.count {
            let character = characters[index]
            if character.isWhitespace {
                index += 1
            } else if character == "'" || character == "\"" {
                let text = try quoted(characters, &index, by: character)
                tokens.append(character == "'" ? .text(text) : .quotedWord(text))
            } else if character.isASCIIDigit
                || (character == "." && index + 1 < characters.count && characters[index + 1].isASCIIDigit)
            {
                tokens.append(try number(characters, &index))
            } else if character.isLetter || character == "_" {
                let start = index
                while index < characters.count,
                    characters[index].isLetter || characters[index].isNumber || "_.$".contains(characters[index])
                {
                    index += 1
                }
                tokens.append(.word(String(characters[start..<index])))
            } else {
                let two = index + 1 < characters.count ? String(characters[index...index + 1]) : ""
                if ["<>", "<=", ">=", "!="].contains(two) {
                    tokens.append(.symbol(two))
                    index += 2
                } else if "=<>(),+-*/".contains(character) {
                    tokens.append(.symbol(String(character)))
                    index += 1
                } else {
                    throw WhereSyntaxError(reason: "unexpected '\(character)'")
                }
            }
        }
        return tokens + [.end]
    }

    /// A doubled quote stands for one.
    private static func quoted(_ characters: [Character], _ index: inout Int, by quote: Character) throws(WhereSyntaxError)
        -> String
    {
        var text = ""
        index += 1
        while index < characters.count {
            if characters[index] == quote {
                if index + 1 < characters.count, characters[index + 1] == quote {
                    index += 1
                } else {
                    index += 1
                    return text
                }
            }
            text.append(characters[index])
            index += 1
        }
        throw WhereSyntaxError(reason: "a quote is not closed")
    }

    private static func number(_ characters: [Character], _ index: inout Int) throws(WhereSyntaxError) -> WhereToken {
        let start = index
        var isWhole = true
        while index < characters.count {
            let character = characters[index]
            if character.isASCIIDigit {
                index += 1
            } else if character == "." {
                isWhole = false
                index += 1
            } else if character == "e" || character == "E" {
                isWhole = false
                index += 1
                if index < characters.count, characters[index] == "+" || characters[index] == "-" { index += 1 }
            } else {
                break
            }
        }
        let text = String(characters[start..<index])
        guard let value = Double(text) else { throw WhereSyntaxError(reason: "\(text) is not a number") }
        return .number(value, isWhole: isWhole)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
