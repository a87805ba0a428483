import Testing

@testable import DemoPortal

@Suite struct JobTableTests {
    private func ready(_ table: inout JobTable, _ ids: String..., at time: Double = 0) {
        for id in ids { table.artefactReady(id, at: time) }
    }

    @Test func runsAsManyAsThereAreSlots() {
        var table = JobTable(seconds: 10, slots: 2)
        for id in ["a", "b", "c"] { table.submit(id, at: 0) }
        ready(&table, "a", "b", "c")
        #expect(table.phase(of: "a", at: 5) == .running(progress: 0.5))
        #expect(table.phase(of: "b", at: 5) == .running(progress: 0.5))
        #expect(table.phase(of: "c", at: 5) == .waiting)
        #expect(table.phase(of: "a", at: 10) == .finished(.succeeded))
        #expect(table.phase(of: "c", at: 10) == .running(progress: 0))
    }

    /// Nobody looks for a minute: c began when a and b ended at 10, d with it, e at 20.
    @Test func aFreedSlotIsUsedFromTheMomentItIsFree() {
        var table = JobTable(seconds: 10, slots: 2)
        for id in ["a", "b", "c", "d", "e"] { table.submit(id, at: 0) }
        ready(&table, "a", "b", "c", "d", "e")
        #expect(table.phase(of: "e", at: 60) == .finished(.succeeded))
        #expect(table.entry("c")?.started == 10)
        #expect(table.entry("e")?.started == 20)
        #expect(table.entry("e")?.finished == 30)
    }

    @Test func waitsForTheFile() {
        var table = JobTable(seconds: 10, slots: 1)
        table.submit("a", at: 0)
        table.submit("b", at: 0)
        #expect(table.phase(of: "a", at: 15) == .running(progress: 0.99))
        table.artefactReady("a", at: 17)
        table.artefactReady("b", at: 17)
        #expect(table.phase(of: "a", at: 20) == .finished(.succeeded))
        #expect(table.entry("b")?.started == 17)
    }

    @Test func aFileThatCannotBeMadeFailsTheJob() {
        var table = JobTable(seconds: 10, slots: 1)
        table.submit("a", at: 0)
        table.artefactFailed("a", message: "no", at: 3)
        #expect(table.phase(of: "a", at: 9) == .running(progress: 0.9))
        #expect(table.phase(of: "a", at: 10) == .finished(.failed(message: "no")))
    }

    @Test func cancellingFreesTheSlotAndLeavesWhatIsOver() {
        var table = JobTable(seconds: 10, slots: 1)
        table.submit("a", at: 0)
        table.submit("b", at: 0)
        ready(&table, "a", "b")
        table.cancel("a", at: 4)
        #expect(table.phase(of: "a", at: 4) == .finished(.cancelled))
        #expect(table.entry("b")?.started == 4)
        #expect(table.phase(of: "b", at: 14) == .finished(.succeeded))
        table.cancel("b", at: 20)
        #expect(table.phase(of: "b", at: 20) == .finished(.succeeded))
    }

    @Test func faultsFailStickAndForget() {
        var table = JobTable(seconds: 10, slots: 3)
        table.submit("fails", fault: .fails, at: 0)
        table.submit("sticks", fault: .sticks, at: 0)
        table.submit("forgets", fault: .forgets, at: 0)
        ready(&table, "fails", "sticks", "forgets")
        #expect(table.phase(of: "forgets", at: 5) == .running(progress: 0.5))
        #expect(table.phase(of: "forgets", at: 10) == nil)
        if case .finished(.failed) = table.phase(of: "fails", at: 10) {} else { Issue.record("the job did not fail") }
        #expect(table.phase(of: "sticks", at: 1_000_000) == .running(progress: 0.99))
    }

    @Test func unknownJobsAreUnknown() {
        var table = JobTable(seconds: 1, slots: 1)
        #expect(table.phase(of: "x", at: 0) == nil)
    }
}
