/// The last look at what goes to a screen. Words of strangers have been through `Wording` before; should some text have been forgotten, it must
/// not move the cursor, set the title of the window or turn the direction of its line either.
extension String {
    /// Without control characters but ends of lines, tabs and the colours of `Ink`, and without marks of direction but the isolates that
    /// `isolated` writes.
    var disarmed: String {
        if !utf8.contains(where: Self.begins) { return self }
        var kept = UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "\u{1B}", let colour = Self.colours.first(where: { rest.starts(with: $0) }) {
                kept.append(contentsOf: colour)
                rest = rest.dropFirst(colour.count)
                continue
            }
            if !scalar.isOrder { kept.append(scalar) }
            rest = rest.dropFirst()
        }
        return String(kept)
    }

    /// Whether what is left out may begin with this byte: most texts have none such.
    private static func begins(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0A, 0x09: false
        case ..<0x20, 0x7F, 0xC2, 0xD8, 0xE2: true
        default: false
        }
    }

    private static let colours: [UnicodeScalarView] =
        ([0] + Ink.Colour.allCases.map(\.rawValue)).map { "\u{1B}[\($0)m".unicodeScalars }
}

extension Unicode.Scalar {
    fileprivate var isOrder: Bool {
        switch self {
        case "\n", "\t", "\u{2068}", "\u{2069}": false
        default: properties.generalCategory == .control || properties.isBidiControl
        }
    }
}
