import Foundation
import Planning
import Synchronization
import Testing

@testable import Reporting

@Suite struct ServiceNoticesTests {
    @Test func theManagerHearsOfEveryChangeOnce() {
        let sent = Mutex<[String]>([])
        let notices = ServiceNotices(send: { lines in sent.withLock { $0.append(lines.joined(separator: "|")) } })
        func job(_ id: String, _ state: JobReport.State) -> JobReport {
            JobReport(id: id, kind: .tiles, area: "a", layers: [], state: state, attempts: 1, bytes: 1, seconds: 1)
        }
        let jobs = ["1", "2", "3"].map { Job(id: $0, area: "a", layers: [], reason: "new", key: $0, work: .package) }
        notices.ready()
        for event in [
            .runStarted(name: "n", jobs: jobs), .jobStarted(id: "1"), .jobProgress(id: "1", bytes: 1, total: nil),
            .jobFinished(job("1", .done)), .note("x"), .jobFinished(job("2", .failed)), .stopping(signal: 15),
            .runFinished(RunReport(name: "n", outcome: .terminated, started: .now, finished: .now)),
        ] as [RunEvent] { notices.on(event) }
        #expect(
            sent.withLock { $0 } == [
                "READY=1|STATUS=planning", "STATUS=0 of 3 jobs done", "STATUS=1 of 3 jobs done",
                "STATUS=1 of 3 jobs done, 1 failed", "STOPPING=1|STATUS=1 of 3 jobs done, 1 failed, stopping",
                "STOPPING=1|STATUS=terminated: terminated; the state is saved, the same command continues",
            ])
    }
}
