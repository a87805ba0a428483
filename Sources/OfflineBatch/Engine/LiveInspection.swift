import ArcGIS
import Basics
import Manifest
import Planning
import Reporting
import Transport

/// `inspect` of a file, which needs no network, or of a portal item or service, where the services are asked.
struct LiveInspection {
    let settings: InspectSettings

    init(_ settings: InspectSettings) { self.settings = settings }

    func callAsFunction() async throws(Failure) -> MapInspection {
        let inspection: Inspection
        var notes: [String] = []
        switch settings.source {
        case .file(let path):
            inspection = try file(path)
            notes = ["judged by the document alone; its services were not asked"]
        case .item(let id):
            inspection = try await asking { client in try await Inspection.inspect(item: id, client: client) }
        case .service(let service):
            inspection = try await asking { client in try await Inspection.inspect(service: service, client: client) }
        }
        return MapInspection(
            title: inspection.title, rows: inspection.layers.map { row($0, inspection.sizes[$0.layer.id]) },
            notes: inspection.warnings.map(Wording.words) + notes,
            json: inspection.json)
    }

    private func row(_ assessment: LayerAssessment, _ size: SizeHints?) -> InspectRow {
        let layer = assessment.layer
        return InspectRow(
            id: layer.id, title: layer.title, kind: layer.kindName, url: layer.shownURL, verdict: assessment.verdict,
            rule: assessment.rule, reason: assessment.reason, groups: layer.groupTitles, size: size)
    }

    private func file(_ path: String) throws(Failure) -> Inspection {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.read(path, limit: 256 << 20, takesPipes: true)
        } catch {
            throw Failure(phase: .metadata, kind: .permanent, message: "\(path): \(error.message)")
        }
        do throws(WebMapError) {
            return try Inspection.inspect(file: bytes, title: Paths.name(path))
        } catch {
            throw Failure(phase: .metadata, kind: .permanent, message: Wording.words(for: error))
        }
    }

    private func asking(_ inspect: (ArcGISClient) async throws -> Inspection) async throws(Failure) -> Inspection {
        do {
            let services = try await Services.open(
                settings.portal, limits: LimitSettings(), variables: settings.variables, say: Engine.say)
            return try await inspect(services.client)
        } catch let error as ArcGISError {
            throw Failure(.metadata, error)
        } catch let error as WebMapError {
            throw Failure(phase: .metadata, kind: .permanent, message: Wording.words(for: error))
        } catch let error as PlanRefusal {
            throw error.problems.first?.failure ?? Failure(phase: .signIn, kind: .denied, message: "no sign-in")
        } catch {
            throw Failure(phase: .metadata, kind: .internal, message: "\(error)")
        }
    }
}
