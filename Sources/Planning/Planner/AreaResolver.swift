import ArcGIS
import Basics
import Geography
import Manifest

/// Turns the manifest's areas into shapes with their buffer; those of a polygon layer are read from the service.
struct AreaResolver {
    var client: ArcGISClient

    /// - Parameter wanted: ids of the areas to plan; empty for all.
    func areas(_ sources: [AreaSource], only wanted: Set<String>) async throws(PlanRefusal) -> [PlannedArea] {
        var areas: [PlannedArea] = []
        var problems: [PlanProblem] = []
        for source in sources {
            do throws(PlanProblem.Thrown) {
                areas += try await resolve(source).filter { wanted.isEmpty || wanted.contains($0.id) }
            } catch {
                problems.append(error.problem)
            }
        }
        var seen: Set<String> = []
        for area in areas where !seen.insert(area.id).inserted {
            problems.append(PlanProblem(area: area.id, failure: .refusal("two areas have the id \"\(area.id)\"")))
        }
        for id in wanted.subtracting(seen).sorted() {
            let near = nearestName(to: id, among: seen.sorted()).map { ["did you mean \"\($0)\"?"] } ?? []
            problems.append(PlanProblem(area: id, failure: .refusal("the manifest has no area \"\(id)\"", near)))
        }
        if !problems.isEmpty { throw PlanRefusal(problems: problems) }
        return areas
    }

    private func resolve(_ source: AreaSource) async throws(PlanProblem.Thrown) -> [PlannedArea] {
        switch source.place {
        case .shape(let shape, let reference):
            return [try Self.area(source.id, shape, reference, source)]
        case .layer(let url, let clause, let idField):
            let features: [JSON]
            do throws(ArcGISError) {
                features = try await client.features(
                    of: url, where: clause, outFields: [idField], returnGeometry: true, outSR: 4326
                ).features
            } catch {
                throw PlanProblem(area: source.id, origin: source.origin, failure: Failure(.metadata, error)).thrown
            }
            return try areas(of: features, idField: idField, source)
        }
    }

    private func areas(of features: [JSON], idField: String, _ source: AreaSource) throws(PlanProblem.Thrown) -> [PlannedArea] {
        if features.isEmpty {
            throw PlanProblem(area: source.id, origin: source.origin, failure: .refusal("no feature of the layer matches")).thrown
        }
        var areas: [PlannedArea] = []
        for feature in features {
            guard let value = feature["attributes"]?[idField], let id = value.string ?? value.int.map(String.init) else {
                throw PlanProblem(
                    area: source.id, origin: source.origin,
                    failure: .refusal("a feature has no value in the field \"\(idField)\"")
                ).thrown
            }
            guard let polygon = Polygon(esriJSON: feature["geometry"]) else {
                throw PlanProblem(area: id, origin: source.origin, failure: .refusal("the feature has no polygon")).thrown
            }
            areas.append(try Self.area(Paths.slug(source.id + id), .polygon(polygon), .wgs84, source))
        }
        return areas
    }

    private static func area(
        _ id: String, _ shape: AreaShape, _ reference: SpatialReference, _ source: AreaSource
    ) throws(PlanProblem.Thrown) -> PlannedArea {
        do throws(GeographyError) {
            return PlannedArea(
                id: id, shape: try shape.buffered(metres: source.buffer, in: reference), spatialReference: reference)
        } catch {
            throw PlanProblem(area: id, origin: source.origin, failure: Failure(.plan, error)).thrown
        }
    }
}

extension PlanProblem {
    struct Thrown: Error { var problem: PlanProblem }
    var thrown: Thrown { Thrown(problem: self) }
}
