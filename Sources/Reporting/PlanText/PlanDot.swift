import Basics
import Planning

/// `plan --dot`: the graph of the jobs for Graphviz; an arrow goes from a job to those that wait for it.
public enum PlanDot {
    public static func text(_ plan: Plan) -> String {
        var lines = ["digraph \(quoted(plan.name)) {", "  rankdir=LR;", "  node [shape=box, fontname=\"Helvetica\"];"]
        for (index, area) in plan.jobs.map(\.area).uniqued.enumerated() {
            lines += ["  subgraph cluster_\(index) {", "    label=\(quoted(area));"]
            for job in plan.jobs where job.area == area {
                let layers = job.layers.map(\.title).joined(separator: ", ").elided(to: 40)
                let facts = [Wording.words(for: job.kind), layers, job.reason] + PlanText.estimate(job)
                lines.append("    \(quoted(job.id)) [label=\(quoted(facts.filter { !$0.isEmpty }))];")
            }
            lines.append("  }")
        }
        for job in plan.jobs {
            for dependency in job.dependsOn { lines.append("  \(quoted(dependency)) -> \(quoted(job.id));") }
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private static func quoted(_ text: String) -> String { quoted([text]) }

    /// A DOT string; in labels `\n` separates lines, so backslashes of the text are doubled first.
    private static func quoted(_ lines: [String]) -> String {
        let escaped = lines.map {
            Redaction.text($0).printable.escaping(["\\": "\\\\", "\"": "\\\""])
        }
        return "\"\(escaped.joined(separator: "\\n"))\""
    }
}
