import ArcGIS
import Basics
import Manifest

extension Budget {
    /// Both numbers, and the jobs that need the most.
    func problems(_ jobs: [Job]) -> [PlanProblem] {
        check(tiles, jobs.needs { $0.estimate.tiles }, "tiles") + check(rows, jobs.needs { $0.estimate.rows }, "rows")
            + unknownSizes(jobs) + check(bytes, jobs.withoutRepeats.needs { $0.estimate.bytes?.likely })
    }

    /// - Parameter unit: nil for bytes, which have one of their own.
    private func check(_ limit: Int?, _ needs: [(id: String, amount: Int)], _ unit: String? = nil) -> [PlanProblem] {
        func words(_ amount: Int) -> String { unit.map { "\(amount) \($0)" } ?? amount.bytesText }
        let total = needs.reduce(0) { $0 + $1.amount }
        guard let limit, total > limit else { return [] }
        let largest = needs.sorted { ($1.amount, $0.id) < ($0.amount, $1.id) }.prefix(5).map { "\($0.id): \(words($0.amount))" }
        let allowed = unit == nil ? limit.bytesText : "\(limit)"
        return [PlanProblem(failure: .refusal("the plan needs \(words(total)), the budget allows \(allowed)", Array(largest)))]
    }

    /// A budget that cannot be checked is no budget.
    private func unknownSizes(_ jobs: [Job]) -> [PlanProblem] {
        guard let bytes else { return [] }
        let unknown = jobs.filter { $0.estimate.bytes == nil && $0.kind.isDownload }
        guard !unknown.isEmpty else { return [] }
        let reasons = unknown.prefix(5).map { job in
            "\(job.id): \(job.estimate.sizeProblem?.message ?? "nobody has asked")"
        }
        return [
            PlanProblem(
                failure: .refusal(
                    "the budget allows \(bytes.bytesText), and the size of \(unknown.count) of the plan's jobs is not known",
                    reasons))
        ]
    }
}

extension [Job] {
    /// Jobs of one key are done once: the others take its artifact.
    public var withoutRepeats: [Job] {
        var seen: Set<String> = []
        return filter { seen.insert($0.key).inserted }
    }

    fileprivate func needs(_ amount: (Job) -> Int?) -> [(id: String, amount: Int)] {
        compactMap { job in amount(job).map { (job.id, $0) } }
    }
}
