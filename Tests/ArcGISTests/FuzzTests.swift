import Basics
import TestSupport
import Testing

@testable import ArcGIS

/// Recorded documents, damaged at random with a fixed seed: readers must come back, and maps must keep their rules.
@Suite("Damaged documents", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
struct FuzzTests {
    private static let folders = [
        "webmaps", "featureservers", "layers", "mapservers", "vectortileservers", "styles", "replicas", "items", "errors",
    ]

    private static func documents(under size: Int) throws -> [[UInt8]] {
        try folders.flatMap { folder in
            try Files.list(SharedFiles.path("recorded/" + folder)).sorted().map {
                try Files.read(SharedFiles.path("recorded/\(folder)/\($0)"))
            }
        }.filter { $0.count < size }
    }

    @Test("changed bytes and cut ends")
    func bytes() throws {
        var random = SplitMix(seed: 20_261_130)
        for document in try Self.documents(under: 6_000) {
            for _ in 0..<6 {
                var damaged = document
                for _ in 0..<random.next(upTo: 8) where !damaged.isEmpty {
                    damaged[random.next(upTo: damaged.count)] = UInt8(random.next(upTo: 256))
                }
                if random.next(upTo: 3) == 0 { damaged.removeLast(random.next(upTo: damaged.count)) }
                _ = ErrorBody.check(damaged)
                _ = HTMLPage(damaged)
                check(try? WebMap(bytes: damaged, acceptingScenes: true))
                if let json = try? JSON.parse(damaged) { Decoders.all(json) }
            }
        }
    }

    @Test("changed values")
    func values() throws {
        var random = SplitMix(seed: 7)
        for document in try Self.documents(under: 12_000) {
            guard let json = try? JSON.parse(document) else { continue }
            for _ in 0..<6 {
                let damaged = Self.damage(json, rate: 12, &random)
                check(try? WebMap(document: damaged, acceptingScenes: true))
                Decoders.all(damaged)
            }
        }
    }

    private func check(_ map: WebMap?) {
        guard let map else { return }
        #expect(Set(map.layers.map(\.id)).count == map.layers.count)
        for layer in map.layers {
            #expect(map.document.value(at: layer.path) == layer.raw)
            #expect(map.setting(["path": "p"], atLayer: layer.id).value(at: layer.path)?["path"] == "p")
        }
    }

    private static let odd: [JSON] = [
        .null, true, -1, .integer(.max), .integer(.min), .number(1e308), .number(-0.5), "", "NaN", "https://[", "//", "../../..",
        [], [[[]]],
        ["layers": [["layers": .null]]], "GroupLayer", ["": ""],
    ]

    /// Each value below is replaced by an odd one with the chance 1 : `rate`.
    private static func damage(_ json: JSON, rate: Int, _ random: inout SplitMix) -> JSON {
        if random.next(upTo: rate) == 0 { return odd[random.next(upTo: odd.count)] }
        switch json {
        case .array(let items): return .array(items.map { damage($0, rate: rate, &random) })
        case .object(let object):
            return .object(JSONObject(object.members.map { .init(key: $0.key, value: damage($0.value, rate: rate, &random)) }))
        default: return json
        }
    }
}

/// A small generator with a seed: the same damage on every machine.
struct SplitMix {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next(upTo bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        z ^= z >> 31
        return bound > 0 ? Int(z % UInt64(bound)) : 0
    }
}
