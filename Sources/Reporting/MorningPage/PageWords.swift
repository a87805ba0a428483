import Foundation
import Planning

/// How the morning page names things: a word and a sign beside every colour.
enum Tone: String {
    case good, kept, bad, quiet

    var sign: String {
        switch self {
        case .good: "✓"
        case .kept: "◷"
        case .bad: "✕"
        case .quiet: "–"
        }
    }
}

extension AreaReport {
    /// What the morning asks of an area: is there a map, and is it tonight's?
    enum Standing: CaseIterable {
        /// No map at all.
        case missing
        /// The last good map.
        case kept
        /// Tonight's, without some layers.
        case partial
        /// Tonight's, in which some layers are as an earlier night brought them.
        case stale
        /// An older one that a new one would equal.
        case unchanged
        case new

        var tone: Tone {
            switch self {
            case .missing: .bad
            case .kept, .partial, .stale: .kept
            case .new, .unchanged: .good
            }
        }

        var sign: String { self == .partial ? "◐" : tone.sign }

        var words: String {
            switch self {
            case .missing: "no map"
            case .kept: "last good map"
            case .partial: "new, not complete"
            case .stale: "new, partly stale"
            case .unchanged: "unchanged map"
            case .new: "new map"
            }
        }
    }

    var standing: Standing {
        switch state {
        case .published: .new
        case .partial: missingLayers.isEmpty ? .stale : .partial
        case .unchanged: .unchanged
        case .failed, .notPublished, .untouched, .kept: lastSuccess == nil ? .missing : .kept
        }
    }
}

extension RunReport {
    /// Worst first; otherwise as in the manifest.
    var areasWorstFirst: [AreaReport] {
        AreaReport.Standing.allCases.flatMap { standing in areas.filter { $0.standing == standing } }
    }

    /// When the run ended. Seconds would say more than anybody asks.
    func age(_ date: Date?) -> String? {
        date.map { date in
            let seconds = finished.timeIntervalSince(date)
            return seconds < 60 ? "< 1 m" : Quantity.duration(seconds)
        }
    }
}

extension JobReport.State {
    var tone: Tone {
        switch self {
        case .failed: .bad
        case .skipped, .pending: .kept
        case .done, .reused, .unchanged: .good
        }
    }
}

extension LayerReport {
    var tone: Tone { staleSince != nil ? .kept : error != nil ? .bad : state?.tone ?? .quiet }
    var sign: String { tone.sign }

    var words: String {
        if staleSince != nil { return "kept, stale" }
        if let state { return Wording.words(for: state) }
        // Nobody could look at it when the plan was made.
        if error != nil { return Wording.words(for: JobReport.State.failed) }
        return verdict == .replica || verdict == .tiles || verdict == .vectorTiles ? "nothing here" : Wording.words(for: verdict)
    }
}

/// Text of servers and manifests: without secrets and control characters, and kept from turning the text around it.
func foreign(_ text: String) -> Markup { element("bdi") { Wording.clean(text) } }

/// A next step: what it has in backticks is to be typed.
func advice(_ text: String) -> Markup {
    let pieces = Wording.clean(text).split(separator: "`", omittingEmptySubsequences: false)
    // A single one came with a name.
    if pieces.count.isMultiple(of: 2) { return foreign(text) }
    return element("bdi") {
        for (index, piece) in pieces.enumerated() {
            if index.isMultiple(of: 2) { String(piece) } else { element("code") { String(piece) } }
        }
    }
}

/// A sign and a word in the colour of what they mean; the sign says nothing to ears.
func badge(_ tone: Tone, _ sign: String, _ words: String) -> Markup {
    element("span", ["class": "badge \(tone.rawValue)"]) {
        element("span", ["aria-hidden": "true"]) { sign }
        " \(words)"
    }
}
