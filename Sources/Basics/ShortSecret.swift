/// A secret of a few letters, such as `abc`, which half of all texts hold by chance. It is masked where it stands alone: as the whole
/// text, as the value behind `=` or `: `, in quotes, as the password of a URL. Within other words it stays, or they could not be read.
struct ShortSecret: Sendable, Hashable {
    private let bytes: [UInt8]

    init(_ spelling: String) { bytes = Array(spelling.utf8) }

    func masked(in text: String) -> String {
        let text8 = Array(text.utf8)
        guard text8.count >= bytes.count else { return text }
        var output: [UInt8] = []
        var (copied, place) = (0, 0)
        while place + bytes.count <= text8.count {
            let end = place + bytes.count
            if text8[place..<end].elementsEqual(bytes), standsAlone(place..<end, in: text8) {
                output += text8[copied..<place] + Array(Redaction.mark.utf8)
                (copied, place) = (end, end)
            } else {
                place += 1
            }
        }
        return copied == 0 ? text : String(decoding: output + text8[copied...], as: UTF8.self)
    }

    /// What a value begins behind, the case of letters aside.
    private static let openers = ["=", "%3d", ": ", ":", "\"", "'", "`", "&quot;", "&#39;", "%22", "%27"].map { Array($0.utf8) }
    /// What it ends before; also the end of the text.
    private static let closers = [
        "&", "\"", "'", "`", "\\", ";", ",", ")", "}", "]", "<", "@", " ", "\n", "\r", "\t", ". ", "%22", "%27", "%26",
    ].map { Array($0.utf8) }

    private func standsAlone(_ range: Range<Int>, in text: [UInt8]) -> Bool {
        let (before, behind) = (text[..<range.lowerBound], text[range.upperBound...])
        if before.isEmpty { return behind.isEmpty }
        let isOpened = Self.openers.contains { opener in
            before.count >= opener.count && zip(before.suffix(opener.count), opener).allSatisfy { Self.lower($0) == $1 }
        }
        return isOpened && (behind.isEmpty || behind.elementsEqual(".".utf8) || Self.closers.contains(where: behind.starts))
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
