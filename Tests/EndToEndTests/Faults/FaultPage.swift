import Basics
import Foundation
import TestSupport
import Testing

/// `docs/faults.md`, made of the cells: the matrix that the runs are compared with.
enum FaultPage {
    static let path = SharedFiles.packageRoot + "/docs/faults.md"

    static func text(_ cells: [(cell: FaultCell, outcome: FaultOutcome)]) -> String {
        var lines = [
            "# What goes wrong, and what comes of it", "",
            "Made by `make test-faults` from the outcomes of its runs (`OFFLINE_BATCH_BLESS=1 make test-faults` after a change); a test",
            "compares it with the expectations in [FaultCells.swift](../Tests/EndToEndTests/Faults/FaultCells.swift), and `make test` plays the",
            "cells that are marked there. Each cell is a good night, then the fault, then the same command without the fault. All the time",
            "another process ([map-reader.py](../Tests/judges/map-reader.py)) opens `current`, hashes what it finds, and finds complete maps",
            "only. There are three server jobs with one file each.", "",
            "*Exit* and *map* are those of the run that met the fault: `new` was published, or the `old` map stayed. *Submitted* and *fetched*",
            "are its requests for server jobs and for result files, as the portal's journal counts its answers; three each without a fault. *Again* is",
            "what the next run submits to end with 0 and a new map; a dash where the first run did.",
        ]
        for kind in FaultCell.Kind.allCases {
            lines += [
                "", "## \(kind.rawValue)", "", "| Fault | Exit | Map | Submitted | Fetched | Again |",
                "|---|---|---|---|---|---|",
            ]
            for (cell, outcome) in cells where cell.kind == kind {
                let again = outcome.again.map { String($0) } ?? "–"
                lines.append(
                    "| \(cell.name) | \(outcome.exit) | \(outcome.map.rawValue) | \(outcome.submissions) | \(outcome.downloads) | \(again) |"
                )
            }
        }
        lines += [
            "", "## The process and the power", "",
            "`kill -9` at \(KillSeries.moments) seeded moments of nights with every kind of job, half of them with each flavour of results; and",
            "as many with the power gone: what was written and not flushed is taken away from every file, or is zeros afterwards",
            "(`Tests/judges/machine.c` keeps the book). The same command is started after each. What must hold: it ends with 0; a reader of",
            "`current` sees complete maps only; no server job is submitted twice, unless the kill fell between a request and the record of its",
            "answer; no file that was here whole is fetched again, nor a byte that was flushed. The numbers are in",
            "[Benchmarks](../Benchmarks/README.md). Why it holds is in [state.md](state.md).",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
