import Basics
import Foundation

/// `doctor` for people: one line a finding, the worst marked, each with one next step.
public struct DoctorText: Sendable {
    public var findings: [Finding]
    /// As typed; nil when there was none.
    public var manifest: String?
    public var page: Page

    public init(findings: [Finding], manifest: String?, page: Page) {
        self.findings = findings
        self.manifest = manifest
        self.page = page
    }

    public var lines: [String] {
        let width = findings.map(\.subject.count).max() ?? 0
        let lines = findings.flatMap { finding -> [String] in
            let subject = finding.subject + String(repeating: " ", count: width - finding.subject.count)
            let line = "\(mark(finding.grade))  \(subject)  \(finding.message(in: page.zone).printable)"
            let indent = String(repeating: " ", count: 9 + width + 2)
            return [line] + (finding.next(manifest: manifest).map { [indent + "→ " + $0.printable] } ?? [])
        }
        return lines + ["", ending]
    }

    private func mark(_ grade: Finding.Grade) -> String {
        switch grade {
        case .good: page.ink("ok     ", .green)
        case .warning: page.ink("warning", .yellow)
        case .problem: page.ink("problem", .red)
        }
    }

    private var ending: String {
        let problems = findings.count { $0.grade == .problem }
        let warnings = findings.count { $0.grade == .warning }
        if problems + warnings == 0 {
            return manifest == nil
                ? "Nothing is wrong with this machine. With a manifest, doctor looks at its folders, servers and maps, too."
                : "Nothing is wrong."
        }
        return [(problems, "problem"), (warnings, "warning")].filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1) }
            .joined(separator: ", ")
    }
}

/// `doctor --json`; times are UTC.
public enum DoctorJSON {
    public static func json(_ findings: [Finding], manifest: String?) -> JSON {
        [
            "healthy": .bool(findings.allSatisfy { $0.grade != .problem }),
            "findings": .array(
                findings.map {
                    [
                        "subject": .string($0.subject), "grade": .string($0.grade.rawValue),
                        "message": .string($0.message(in: .gmt)),
                        "next": $0.next(manifest: manifest).map(JSON.string) ?? .null,
                    ]
                }),
        ]
    }
}
