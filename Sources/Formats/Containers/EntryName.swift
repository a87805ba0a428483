/// Names inside packages. They come from strangers and need not be UTF-8 (formats.md 9.11).
enum EntryName {
    /// Text for people and for look-ups; bytes that are not UTF-8 become U+FFFD.
    static func display(_ raw: [UInt8]) -> String { String(decoding: raw, as: UTF8.self) }

    /// True when a file of that name stays inside the folder that the package is unpacked into.
    static func isSafe(_ raw: [UInt8]) -> Bool {
        guard let first = raw.first, first != slash, !raw.contains(0), !raw.contains(UInt8(ascii: "\\")) else { return false }
        // "C:…" is absolute on other systems.
        if raw.count > 1, raw[1] == UInt8(ascii: ":") { return false }
        return !raw.split(separator: slash, omittingEmptySubsequences: false).contains { $0.elementsEqual("..".utf8) }
    }

    private static let slash = UInt8(ascii: "/")
}
