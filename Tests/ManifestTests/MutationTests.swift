import Manifest
import Testing

/// Small random changes of real manifests: whatever comes of them, decoding ends with a manifest or with located problems.
@Suite struct MutationTests {
    @Test func neverCrashes() {
        var random = SplitMix(state: 20_240_131)
        let corpus = AgreementCase.all.map { Array($0.text.utf8) }.filter { !$0.isEmpty }
        var refused = 0
        for _ in 0..<3000 {
            var bytes = corpus[random.below(corpus.count)]
            for _ in 0...random.below(4) { mutate(&bytes, corpus, &random) }
            let result = Manifest.decode(bytes: bytes, path: "/m/x.yaml", files: reader([:]))
            if result.manifest == nil {
                refused += 1
                #expect(!result.errors.isEmpty, "\(bytes)")
            }
            #expect(result.diagnostics.allSatisfy { $0.line >= 1 && $0.column >= 1 && !$0.text.isEmpty }, "\(bytes)")
        }
        #expect(refused > 1000)
    }

    private static let pieces =
        [
            "{", "}", "[", "]", ":", "- ", "&a ", "*a", "\n", "\t", "'", "\"", "|", ">", "#", "!!str ", "---\n", "...", "? ", "%",
            "0x", ".inf",
            "99999999999999999999", "-", "1e400", "\u{FEFF}", "\u{2028}", "ä", "null", "<<: ",
        ].map { Array($0.utf8) } + [[0], [0xFF], [0xC3], [0x80]]

    private func mutate(_ bytes: inout [UInt8], _ corpus: [[UInt8]], _ random: inout SplitMix) {
        let place = random.below(bytes.count + 1)
        switch random.below(5) {
        case 0: bytes.insert(contentsOf: Self.pieces[random.below(Self.pieces.count)], at: place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(8)))
        case 2: if place < bytes.count { bytes[place] = UInt8(random.below(256)) }
        case 3:
            let other = corpus[random.below(corpus.count)]
            let start = random.below(other.count)
            bytes.insert(contentsOf: other[start..<min(other.count, start + 1 + random.below(40))], at: place)
        default: bytes = Array(bytes[..<place])
        }
    }
}

/// SplitMix64: the same numbers on every run.
private struct SplitMix {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(max(1, limit)))
    }
}
