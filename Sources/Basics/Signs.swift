/// Signs that mean something to whoever reads a text: a slash in an address, a quote in SQL. To Swift a sign and the marks that combine with it
/// are one character, and `firstIndex(of: "/")` or `replacing("\"", …)` pass over it; all other readers see the sign. So what takes a
/// text of strangers apart, or writes it for others, goes by scalars.
extension StringProtocol {
    /// With other text in the place of these signs.
    public func escaping(_ escapes: [Unicode.Scalar: String]) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let escape = escapes[scalar] { result.append(contentsOf: escape.unicodeScalars) } else { result.append(scalar) }
        }
        return String(result)
    }

    public func firstIndex(ofSign sign: Unicode.Scalar) -> Index? { unicodeScalars.firstIndex(of: sign) }
    public func lastIndex(ofSign sign: Unicode.Scalar) -> Index? { unicodeScalars.lastIndex(of: sign) }
    public func contains(sign: Unicode.Scalar) -> Bool { unicodeScalars.contains(sign) }

    /// The pieces between the signs, empty ones, too.
    public func pieces(between sign: Unicode.Scalar) -> [SubSequence] {
        unicodeScalars.split(separator: sign, omittingEmptySubsequences: false).map { self[$0.startIndex..<$0.endIndex] }
    }
}
