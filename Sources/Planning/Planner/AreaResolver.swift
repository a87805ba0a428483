import ArcGIS
import Basics
import Geography
import Manifest

/// Turns the manifest's areas into shapes with their buffer; those of a layer are read from the service.
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
        // An id is a folder's name, and some file systems take upper and lower case for the same.
        var seen: Set<String> = []
        for area in areas where !seen.insert(area.id.lowercased()).inserted {
            problems.append(
                PlanProblem(
                    area: area.id,
                    failure: .refusal("two areas have the id \"\(area.id)\"", ["the id is the name of the area's folder"])))
        }
        let found = areas.map(\.id)
        for id in wanted.subtracting(found).sorted() {
            let near = nearestName(to: id, among: found).map { ["did you mean \"\($0)\"?"] } ?? []
            problems.append(PlanProblem(area: id, failure: .refusal("the manifest has no area \"\(id)\"", near)))
        }
        if !problems.isEmpty { throw PlanRefusal(problems: problems) }
        return areas
    }

    private func resolve(_ source: AreaSource) async throws(PlanProblem.Thrown) -> [PlannedArea] {
        switch source.place {
        case .shape(let shape, let reference):
            return [
                try await Self.area(source.id, reference, source) { () throws(GeographyError) in
                    try AreaShaping(shape, in: reference, source)
                }
            ]
        case .paths(let paths, let reference):
            return [
                try await Self.area(source.id, reference, source) { () throws(GeographyError) in
                    try AreaShaping(around: paths, in: reference, source)
                }
            ]
        case .layer(let url, let clause, let idField):
            let features: [JSON]
            do throws(ArcGISError) {
                features = try await client.features(
                    of: url, where: clause, outFields: [idField], returnGeometry: true, outSR: 4326
                ).features
            } catch {
                throw PlanProblem(area: source.id, origin: source.origin, failure: Failure(.metadata, error)).thrown
            }
            return try await areas(of: features, idField: idField, source)
        }
    }

    private func areas(
        of features: [JSON], idField: String, _ source: AreaSource
    ) async throws(PlanProblem.Thrown) -> [PlannedArea] {
        if features.isEmpty {
            throw PlanProblem(area: source.id, origin: source.origin, failure: .refusal("no feature of the layer matches")).thrown
        }
        var areas: [PlannedArea] = []
        for feature in features {
            guard let value = Self.attribute(idField, of: feature), let name = value.string ?? value.int.map(String.init),
                !name.allSatisfy(\.isWhitespace)
            else {
                throw PlanProblem(
                    area: source.id, origin: source.origin,
                    failure: .refusal("a feature has no value in the field \"\(idField)\"")
                ).thrown
            }
            let id = (source.id.isEmpty ? "" : source.id + "-") + Paths.slug(name)
            let polygon = Polygon(esriJSON: feature["geometry"])
            let paths = [[Coordinate]](esriJSON: feature["geometry"])
            if polygon == nil && paths == nil {
                throw PlanProblem(area: id, origin: source.origin, failure: .refusal("the feature has no geometry")).thrown
            }
            areas.append(
                try await Self.area(id, .wgs84, source) { () throws(GeographyError) in
                    if let polygon { return try AreaShaping(.polygon(polygon), in: .wgs84, source) }
                    return try AreaShaping(
                        around: (paths ?? []).map(WorldFrame.degrees.unwrapped(path:)), in: .wgs84, source)
                })
        }
        return areas
    }

    /// Servers take a field's name in any case, and answer with their own.
    private static func attribute(_ field: String, of feature: JSON) -> JSON? {
        let attributes = feature["attributes"]
        return attributes?[field] ?? attributes?.object?.members.first { $0.key.lowercased() == field.lowercased() }?.value
    }

    private static func area(
        _ id: String, _ reference: SpatialReference, _ source: AreaSource,
        _ shape: @escaping @Sendable () throws(GeographyError) -> AreaShaping
    ) async throws(PlanProblem.Thrown) -> PlannedArea {
        do throws(GeographyError) {
            let shaped = try await offPool(shape)
            return PlannedArea(id: id, shape: shaped.shape, spatialReference: reference, remarks: shaped.remarks)
        } catch {
            throw PlanProblem(area: id, origin: source.origin, failure: Failure(.plan, error)).thrown
        }
    }
}

extension PlanProblem {
    struct Thrown: Error { var problem: PlanProblem }
    var thrown: Thrown { Thrown(problem: self) }
}
