import Basics
import Geography
import Testing

@testable import DemoPortal

@Suite struct DataTests {
    static let hamlet = TownDataset.make(.hamlet)

    @Test func theSameSeedsGiveTheSameTown() {
        let again = TownDataset.make(.hamlet)
        for (first, second) in zip(Self.hamlet.water, again.water) {
            #expect(first.rows.map(\.globalID) == second.rows.map(\.globalID))
            #expect(first.rows.map(\.values) == second.rows.map(\.values))
            #expect(first.rows.map(\.shape) == second.rows.map(\.shape))
        }
        #expect(Self.hamlet.water[0].attachments.map(\.data) == again.water[0].attachments.map(\.data))
    }

    @Test func theTownHasAboutTwentyThousandWaterFeaturesInsideNaperville() throws {
        let town = TownDataset.make(.town)
        #expect((18_000...22_000).contains(town.water.reduce(0) { $0 + $1.rows.count }))
        let low = WebMercator.degrees(Coordinate(x: town.extent.xmin, y: town.extent.ymin))
        #expect(abs(low.x - -88.26) < 1e-9 && abs(low.y - 41.68) < 1e-9)
        for table in town.water + town.stormWater + town.unsynced {
            for row in table.rows {
                guard let box = row.shape?.envelope else { continue }
                #expect(town.extent.contains(Coordinate(x: box.xmin, y: box.ymin)), "\(table.name) \(row.objectID)")
                #expect(town.extent.contains(Coordinate(x: box.xmax, y: box.ymax)), "\(table.name) \(row.objectID)")
            }
        }
        #expect((24...60).contains(town.water[0].attachments.count))
    }

    @Test func everyRowFitsItsFields() {
        for table in Self.hamlet.water + Self.hamlet.stormWater + Self.hamlet.unsynced {
            #expect(table.fields[0].kind == .objectID && table.fields[1].kind == .globalID)
            #expect(Set(table.rows.map(\.globalID)).count == table.rows.count)
            #expect(Set(table.rows.map(\.objectID)).count == table.rows.count)
            #expect((try? JSON.parse(table.drawingInfo.isEmpty ? "{}" : table.drawingInfo)) != nil, "\(table.name)")
            for row in table.rows {
                #expect(row.globalID.count == 38 && row.globalID.hasPrefix("{") && row.globalID == row.globalID.uppercased())
                #expect(row.values.count == table.fields.count - 2, "\(table.name)")
                for (field, value) in zip(table.fields.dropFirst(2), row.values) {
                    #expect(Self.fits(value, field), "\(table.name).\(field.name): \(value)")
                }
            }
        }
    }

    private static func fits(_ value: FeatureTable.Value, _ field: FeatureTable.Field) -> Bool {
        switch (value, field.kind) {
        case (.null, _): true
        case (.integer(let number), .smallInteger): Int16(exactly: number) != nil
        case (.integer(let number), .integer): Int32(exactly: number) != nil
        case (.double, .double), (.date, .date): true
        case (.text(let text), .string), (.text(let text), .guid): text.count <= field.length ?? 0
        default: false
        }
    }

    @Test func theOddCasesAreThere() throws {
        let water = Self.hamlet.water
        #expect(water.map(\.name) == ["Hydrant", "System Valve", "Service Connection", "Main", "Districts", "Inspections"])
        #expect(water.map(\.id) == [0, 1, 2, 3, 4, 5])
        let unplaced = water[0].rows.filter { $0.shape == nil }
        #expect(!unplaced.isEmpty && unplaced.allSatisfy { $0.values.contains(.text("surveyed later")) })
        #expect(water[3].rows.contains { if case .polyline(let paths) = $0.shape { paths.count == 2 } else { false } })
        #expect(water[2].rows.contains { $0.values.contains(.text("Abandoned")) })
        let kinds = Set(water.flatMap { $0.fields.map(\.kind) })
        #expect(kinds == [.objectID, .globalID, .guid, .smallInteger, .integer, .double, .string, .date])
        let values = water.flatMap { $0.rows.flatMap(\.values) }
        #expect(values.contains(.null))
        #expect(values.contains { if case .date(let moment) = $0 { moment < 0 } else { false } })
        #expect(values.contains { if case .text(let text) = $0 { text.contains("'") || text.contains("\"") } else { false } })
        #expect(
            values.contains { if case .text(let text) = $0 { text.unicodeScalars.contains { $0.value > 0x2E80 } } else { false } }
        )
        // The keys of the inspections are hydrants.
        let hydrants = Set(water[0].rows.map(\.globalID))
        for row in water[5].rows { if case .text(let key) = row.values[0] { #expect(hydrants.contains(key)) } }
    }

    @Test func ringsRunAsEsriWritesThem() throws {
        func signedArea(_ ring: [Coordinate]) -> Double {
            zip(ring, ring.dropFirst()).reduce(0) { $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) } / 2
        }
        var directions: [[Bool]] = []
        for row in Self.hamlet.water[4].rows {
            guard case .polygon(let polygon) = row.shape else { continue }
            for ring in polygon.rings { #expect(ring.first == ring.last) }
            directions.append(polygon.rings.map { signedArea($0) < 0 })
        }
        // Clockwise is an outer ring: one district has a hole, one has two outer rings.
        #expect(directions.filter { $0 == [true, false] }.count == 1)
        #expect(directions.filter { $0 == [true, true] }.count == 1)
        #expect(directions.filter { $0 == [true] }.count == 7)
    }

    @Test func theIndexFindsWhatALoopFinds() {
        let town = Self.hamlet
        for table in town.water.prefix(5) {
            let grid = FeatureGrid(table, extent: town.extent)
            var random = SeededGenerator(77, table.id)
            for _ in 0..<50 {
                let x = random.between(town.extent.xmin - 100, town.extent.xmax)
                let y = random.between(town.extent.ymin - 100, town.extent.ymax)
                let side = random.between(0, 400)
                let box = Envelope(xmin: x, ymin: y, xmax: x + side, ymax: y + side)
                let expected = table.rows.indices.filter { table.rows[$0].shape?.envelope?.intersects(box) == true }
                #expect(grid.features(touching: box) == expected)
            }
        }
    }

    @Test func attachmentsArePictures() {
        let attachments = Self.hamlet.water[0].attachments
        #expect(!attachments.isEmpty)
        for attachment in attachments {
            let magic: [UInt8] = attachment.contentType == "image/png" ? [0x89, 0x50, 0x4E, 0x47] : [0xFF, 0xD8, 0xFF]
            #expect(attachment.data.starts(with: magic))
        }
        #expect(Set(attachments.map(\.contentType)) == ["image/png", "image/jpeg"])
    }
}
