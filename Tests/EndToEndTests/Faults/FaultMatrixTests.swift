import Basics
import Foundation
import Testing

/// The fault matrix. `make test` plays the quick cells, `make test-faults` all of them (`OFFLINE_BATCH_FAULTS=all`).
@Suite(.serialized) struct FaultMatrixTests {
    private static let variables = ProcessInfo.processInfo.environment
    static let isWhole = variables["OFFLINE_BATCH_FAULTS"] == "all"
    private static let blesses = variables["OFFLINE_BATCH_BLESS"] == "1"
    /// Runs wait more than they work.
    private static let atOnce = 3

    @Test func `Every fault has the outcome that is written down`() async throws {
        let wanted = Self.variables["OFFLINE_BATCH_CELL"]
        let cells = FaultCell.all.filter { cell in
            wanted.map(cell.testDescription.contains) ?? (Self.isWhole || cell.isQuick)
        }
        for cell in cells { if let obstacle = cell.obstacle { print("\(cell.testDescription): skipped, \(obstacle)") } }
        let results = try await Self.play(cells.filter { $0.obstacle == nil })
        for result in results {
            #expect(result.reader.complaints.isEmpty, "\(result.cell.testDescription)")
            #expect(result.reader.looks > 0, "\(result.cell.testDescription)")
            #expect(result.outcome == result.cell.expected, "\(result.cell.testDescription)\n\(result.words)")
        }
        guard Self.isWhole, Self.blesses, results.count == FaultCell.all.count else { return }
        let outcomes = FaultCell.all.compactMap { cell in
            results.first { $0.cell.testDescription == cell.testDescription }.map { (cell, $0.outcome) }
        }
        try Files.writeAtomically(Array(FaultPage.text(outcomes).utf8), to: FaultPage.path)
    }

    @Test(.enabled(if: !blesses)) func `The page of faults is that of the expectations`() throws {
        let page = String(decoding: try Files.read(FaultPage.path), as: UTF8.self)
        #expect(page == FaultPage.text(FaultCell.all.map { ($0, $0.expected) }), "run OFFLINE_BATCH_BLESS=1 make test-faults")
    }

    @Test func `Cells have names of their own`() {
        #expect(Set(FaultCell.all.map(\.testDescription)).count == FaultCell.all.count)
        #expect(FaultCell.all.contains { $0.isQuick })
    }

    private static func play(_ cells: [FaultCell]) async throws -> [FaultRun.Result] {
        try await withThrowingTaskGroup(of: FaultRun.Result.self) { group in
            var waiting = cells[...]
            var results: [FaultRun.Result] = []
            for cell in waiting.prefix(atOnce) { group.addTask { try await FaultRun(cell: cell)() } }
            waiting = waiting.dropFirst(atOnce)
            while let result = try await group.next() {
                results.append(result)
                if let cell = waiting.popFirst() { group.addTask { try await FaultRun(cell: cell)() } }
            }
            return results
        }
    }
}
