import ArcGIS
import Basics
import Manifest
import Planning
import Reporting

extension MapInspection {
    /// Looks at a map: one from a file by its document alone, one of a portal with all its services.
    init(_ settings: InspectSettings) async throws(Failure) {
        switch settings.source {
        case .file(let path):
            self.init(try Self.inspection(ofFile: path), notes: ["judged by the document alone; its services were not asked"])
        case .item: throw Engine.unavailable
        }
    }

    private init(_ inspection: Inspection, notes: [String] = []) {
        self.init(
            title: inspection.title, rows: inspection.layers.map(InspectRow.init),
            notes: inspection.warnings.map(Wording.words) + notes, json: inspection.json)
    }

    private static func inspection(ofFile path: String) throws(Failure) -> Inspection {
        do {
            return try Inspection.inspect(file: Files.read(path), title: Paths.name(path))
        } catch let error as SystemError {
            throw Failure(phase: .metadata, kind: .permanent, message: "\(path) cannot be read: \(error.message)")
        } catch let error as WebMapError {
            throw Failure(phase: .metadata, kind: .permanent, message: "\(path): \(Wording.words(for: error))")
        } catch {
            throw Failure(phase: .metadata, kind: .internal, message: "\(error)")
        }
    }
}

extension InspectRow {
    init(_ assessment: LayerAssessment) {
        let layer = assessment.layer
        self.init(
            id: layer.id, title: layer.title, kind: layer.kindName, url: layer.shownURL, verdict: assessment.verdict,
            rule: assessment.rule, reason: assessment.reason, groups: layer.groupTitles)
    }
}
