import Testing

@testable import Planning

@Suite("Samples and their bands")
struct SamplingTests {
    @Test("picks lie in equal parts, all shifted by the same share, and are the same everywhere")
    func picks() {
        // SHA-256 of "x" begins with 2d711642, so the share is 0.1775: 0.1775 · 25 = 4.4, and 25 more each.
        #expect(Sampling.picks(4, of: 100, seed: "x") == [4, 29, 54, 79])
        #expect(Sampling.picks(24, of: 5, seed: "x") == [0, 1, 2, 3, 4])
        #expect(Sampling.picks(3, of: 0, seed: "x").isEmpty)
        let large = Sampling.picks(24, of: 100_000, seed: "downtown/streets/tiles 15")
        #expect(large == large.sorted() && Set(large).count == 24 && large.allSatisfy { (0..<100_000).contains($0) })
    }

    @Test("every stratum gets three, the rest goes by numbers")
    func shares() {
        // 10 are given away at first. Of the 14 left, 13/75 make 2 and 61/75 make 11.
        #expect(Sampling.shares([1, 4, 16, 64], of: 24) == [1, 3, 5, 14])
        #expect(Sampling.shares([2, 3], of: 24) == [2, 3])
        #expect(Sampling.shares([1000], of: 4) == [4])
    }

    @Test("what was looked at whole has no band")
    func complete() {
        let band = SampledStratum.sum([SampledStratum(population: 2, sizes: [50, 70]), SampledStratum(population: 0, sizes: [])])
        #expect(band == Band(low: 120, likely: 120, high: 120))
    }

    @Test("the band is Student's, of a sample without repetition")
    func band() {
        // Mean 200, variance 10,000: 10² · 10,000 / 3 · 0.7 = 233,333, root 483.05; t of 2 degrees is 4.30: 2,077.1 each way,
        // but never less than what was seen.
        let open = SampledStratum(population: 10, sizes: [100, 200, 300])
        let alone = SampledStratum.sum([open])
        #expect(alone.likely == 2000 && alone.low == 600)
        #expect(abs(alone.high - 4077.1) < 0.1)
        // A complete stratum moves it, and widens nothing.
        let both = SampledStratum.sum([open, SampledStratum(population: 2, sizes: [50, 50])])
        #expect(both.likely == 2100 && both.low == 700)
        #expect(abs(both.high - 4177.1) < 0.1)
    }

    @Test("one of many may differ from the others by its own size; equal ones leave a tenth of doubt")
    func littleKnown() {
        // 5² · 10,000 · 0.8 = 200,000, root 447.2; t of 1 degree is 12.71.
        let one = SampledStratum.sum([SampledStratum(population: 5, sizes: [100])])
        #expect(one.likely == 500 && one.low == 100)
        #expect(abs(one.high - 6184.1) < 0.2)
        let equal = SampledStratum.sum([SampledStratum(population: 100, sizes: Array(repeating: 1000, count: 10))])
        #expect(equal == Band(low: 90_000, likely: 100_000, high: 110_000))
    }
}
