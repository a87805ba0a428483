import Basics
import Geography
import TestSupport
import Testing

@testable import DemoPortal

/// Against the hand-made vectors of REST reference, appendix D.
@Suite struct FeaturePBFTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// D1: object id 7, a NULL name, the point (-13047000, 4030000).
    @Test func aPointFeature() {
        let bytes = FeaturePBF.feature(
            [(.integer(7), .objectID), (.null, .string)], shape: .point(Coordinate(x: -13_047_000, y: 4_030_000)),
            .init(.mercator))
        #expect(hex(bytes) == "0a0228070a00120e1a0c80abc1ec8804ffeed6b2f913")
    }

    /// D1's transform: scale 1e-4, translate (-20037700, -30241100), the origin omitted.
    @Test func theTransform() {
        #expect(
            hex(FeaturePBF.Transform(.mercator).bytes)
                == "1212092d431cebe2361a3f112d431cebe2361a3f1a120900000040041c73c111000000c014d77cc1")
    }

    /// D2: two parts; (10,20),(15,17) and (100,200),(99,199).
    @Test func partsBeginAgain() {
        let bytes = FeaturePBF.geometry(parts: [[(10, 20), (15, 17)], [(100, 200), (99, 199)]], hasLengths: true)
        #expect(hex(bytes) == "120202021a0a14280a05c80190030101")
    }

    @Test func errorsAreJSON() throws {
        let portal = try PortalFixture()
        let query = portal.service("Water_Network/FeatureServer/0/query")
        // queryResult, countResult, count: the hamlet has fewer than 128 hydrants in one byte, or two bytes above.
        let count = try Browser.get(query + "?where=1%3D1&returnCountOnly=true&f=json").json["count"]?.int ?? 0
        let binary = try Browser.get(query + "?where=1%3D1&returnCountOnly=true&f=pbf")
        #expect(binary.headers["content-type"] == "application/x-protobuf")
        let number = count < 128 ? [UInt8(count)] : [UInt8(count & 127 | 128), UInt8(count >> 7)]
        let size = UInt8(number.count)
        #expect(binary.body == [0x12, size + 3, 0x12, size + 1, 0x08] + number)
        #expect(try Browser.get(query + "?where=FLOOW%3D1&f=pbf").errorCode == 400)
    }
}
