import Formats
import Testing

struct GzipTests {
    private let text = Array("tiles, tiles, tiles and more tiles".utf8)

    @Test func aStreamMadeElsewhere() throws {
        // printf hello | gzip -n
        let stream: [UInt8] = [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86, 0xA6, 0x10, 0x36, 0x05, 0, 0,
            0,
        ]
        #expect(try Gzip.decompress(stream, limit: 5) == Array("hello".utf8))
    }

    @Test func membersPaddingAndTheWayBack() throws {
        let stream = try Gzip.compress(text)
        #expect(stream.starts(with: [0x1F, 0x8B]))
        #expect(try Gzip.compress(text) == stream)
        #expect(try Gzip.decompress(stream, limit: text.count) == text)
        #expect(try Gzip.decompress(stream + stream + [0, 0], limit: 1000) == text + text)
        #expect(try Gzip.decompress(Gzip.compress([]), limit: 0) == [])
    }

    @Test func failuresHaveTheirOwnCodes() throws {
        let stream = try Gzip.compress(text)
        func code(_ bytes: [UInt8], limit: Int = 1000) -> GzipError.Code? {
            do throws(GzipError) { _ = try Gzip.decompress(bytes, limit: limit) } catch { return error.code }
            return nil
        }
        #expect(code(stream, limit: text.count - 1) == .tooLarge)
        #expect(code(Array(stream.dropLast())) == .truncated)
        #expect(code([]) == .truncated)
        #expect(code(stream + [7]) == .trailingBytes)
        #expect(code(Array("<html>".utf8)) == .damaged)
        var wrongSum = stream
        wrongSum[stream.count - 6] ^= 1
        #expect(code(wrongSum) == .damaged)
    }

    @Test func aBombStopsAtTheLimit() throws {
        let bomb = try Gzip.compress([UInt8](repeating: 0, count: 20_000_000))
        #expect(bomb.count < 40_000)
        #expect(throws: GzipError(code: .tooLarge)) { try Gzip.decompress(bomb, limit: 1_000_000) }
    }
}
