import Basics
import Foundation
import Packaging
import Planning

/// Maps of areas that their manifest does not have any more: they stay out, and nobody keeps them up to date.
public struct RetiredAreas: Sendable, Equatable {
    public var output: String
    /// By name.
    public var areas: [String]

    /// Looks for current maps that this manifest made and that are of none of its areas. Blocks.
    public init(in output: String, of name: String, besides known: Set<String>) {
        self.output = output
        let folder = OutputFolder(output)
        areas = ((try? folder.areas()) ?? []).filter { area in
            let generations = folder.generations(of: area)
            guard !known.contains(area), let current = generations.current,
                let inventory = try? InventoryRecord.read(generations.path(current))
            else { return false }
            return inventory.area == area && inventory.name == name
        }
    }

    /// nil when there is none.
    public var note: String? {
        guard let first = areas.first else { return nil }
        if areas.count == 1 {
            return "\(first) is no area of the manifest any more: its map stays out and grows old; remove "
                + "\(Paths.join(output, first)) when nobody uses it"
        }
        let rest = areas.count - 8
        return areas.prefix(8).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
            + " are no areas of the manifest any more: their maps stay out and grow old; remove their folders in \(output) when "
            + "nobody uses them"
    }
}
