import Basics
import Geography
import Manifest

/// Finds the file that takes the place of the map's base map: the manifest's, or in the manifest's folder the one that the map names
/// (REST reference 9.6, 10.2).
struct BasemapResolver {
    var options: MapOptions
    var document: JSON
    var inspect: ReferenceBasemap.Inspector

    struct Found {
        var basemap: ReferenceBasemap?
        var notes: [String] = []
    }

    func callAsFunction() async throws(PlanRefusal) -> Found {
        let authored = document["applicationProperties"]?["offline"]?["offlinebasemap"]?["referenceBasemapName"]?.string
        guard let given = options.referenceBasemap else {
            guard let authored, options.includeBasemap else { return Found() }
            return Found(
                notes: [
                    "the map names \(authored) as its offline base map; with `referenceBasemap`, the folder or file where it is here, it "
                        + "takes the place of the online one"
                ])
        }
        guard options.includeBasemap else {
            return Found(notes: ["referenceBasemap is not used, because includeBasemap is false"])
        }
        var path = given
        if Files.isDirectory(given) {
            guard let authored, !authored.isEmpty, !authored.contains(sign: "/"), authored != ".." else {
                throw refusal(
                    .refusal(
                        "referenceBasemap is the folder \(given), and the map names no file in it",
                        ["give the file itself, or set one as the map's offline base map (offlinebasemap.referenceBasemapName)"]))
            }
            path = Paths.join(given, authored)
        }
        do throws(Failure) {
            let basemap = try await inspect(path)
            return Found(basemap: basemap, notes: Self.notes(basemap))
        } catch {
            throw refusal(error)
        }
    }

    private static func notes(_ basemap: ReferenceBasemap) -> [String] {
        var notes = ["\(basemap.fileName) takes the place of the map's base map"]
        if basemap.isRepacked {
            notes.append(
                "the ArcGIS Maps SDK does not read .mbtiles: the tiles of \(basemap.fileName) are put into a .tpkx, byte for byte"
            )
        }
        return notes + basemap.warnings.map { "\(basemap.fileName): \($0)" }
    }

    private func refusal(_ failure: Failure) -> PlanRefusal {
        PlanRefusal(problems: [PlanProblem(origin: options.referenceBasemapOrigin, failure: failure)])
    }
}

extension ReferenceBasemap {
    /// One sentence for each area that the file does not reach: it opens there on nothing.
    func gaps(_ areas: [PlannedArea]) -> [String] {
        guard let extent else { return [] }
        return areas.compactMap { area in
            // Part by part: the box of an area across the antimeridian would reach everything.
            guard let seen = try? Projection.project(area.shape, from: area.spatialReference, to: spatialReference),
                !seen.polygon.rings.contains(where: { Envelope(around: $0)?.intersects(extent) == true })
            else { return nil }
            return "\(fileName) has nothing in the area \(area.id)"
        }
    }

    static let rule = "reference-basemap"

    /// What the plan says of it beside the map's own layers.
    public var layer: PlannedLayer {
        var layer = PlannedLayer(
            id: "reference-basemap", title: fileName, groups: [], url: nil,
            verdict: content == .tiles ? .tiles : .vectorTiles, rule: Self.rule,
            reason: "A local file that takes the place of the map's base map.", source: BasemapJobs.slug)
        layer.isOfManifest = true
        return layer
    }
}
