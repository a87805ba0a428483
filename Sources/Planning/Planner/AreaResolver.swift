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
            return [try await Self.area(source.id, shape, reference, source)]
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
            guard let polygon = Polygon(esriJSON: feature["geometry"]) else {
                throw PlanProblem(area: id, origin: source.origin, failure: .refusal("the feature has no polygon")).thrown
            }
            areas.append(try await Self.area(id, .polygon(polygon), .wgs84, source))
        }
        return areas
    }

    /// Servers take a field's name in any case, and answer with their own.
    private static func attribute(_ field: String, of feature: JSON) -> JSON? {
        let attributes = feature["attributes"]
        return attributes?[field] ?? attributes?.object?.members.first { $0.key.lowercased() == field.lowercased() }?.value
    }

    private static func area(
        _ id: String, _ shape: AreaShape, _ reference: SpatialReference, _ source: AreaSource
    ) async throws(PlanProblem.Thrown) -> PlannedArea {
        do throws(GeographyError) {
            return try await offPool { () throws(GeographyError) in
                try shape.refuseOutside(of: reference)
                let (valid, isRepaired) = try shape.repaired()
                return PlannedArea(
                    id: id, shape: try valid.buffered(metres: source.buffer, in: reference), spatialReference: reference,
                    isRepaired: isRepaired)
            }
        } catch {
            throw PlanProblem(area: id, origin: source.origin, failure: Failure(.plan, error)).thrown
        }
    }
}

extension AreaShape {
    /// Metres beyond the world would be taken for another place by whoever projects them next.
    fileprivate func refuseOutside(of reference: SpatialReference) throws(GeographyError) {
        guard reference.isWebMercator, let box = envelope else { return }
        let world = Envelope.webMercatorWorld
        if !world.intersects(box) { throw .outsideDomain(Coordinate(x: box.xmin, y: box.ymin)) }
        // Published corners of the world differ by millimetres.
        if box.xmin < world.xmin - 1 || box.xmax > world.xmax + 1 { throw .crossesAntimeridian }
    }

    /// Servers refuse crossing rings, or cut with them as they like, so they are put right here. Only a shape that changes by it
    /// is called repaired: a ring that touches itself is fine for Esri, and encloses the same afterwards.
    fileprivate func repaired() throws(GeographyError) -> (shape: AreaShape, isRepaired: Bool) {
        guard case .polygon(let polygon) = self, !polygon.isValid else { return (self, false) }
        let valid = try polygon.makeValid()
        let enclosed = polygon.rings.reduce(0) { $0 - $1.signedArea }
        return (.polygon(valid), abs(valid.area - enclosed) > valid.area * 1e-6)
    }
}

extension PlanProblem {
    struct Thrown: Error { var problem: PlanProblem }
    var thrown: Thrown { Thrown(problem: self) }
}
