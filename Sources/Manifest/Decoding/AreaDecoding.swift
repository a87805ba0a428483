import Basics
import Geography

extension ManifestDecoder {
    mutating func areas(_ node: Node?) -> [AreaSource] {
        let items = node?.items ?? []
        var taken = checkIDs(items)
        return items.flatMap { item -> [AreaSource] in
            let id = item["id"]?.text ?? ""
            let buffer = item["buffer"]?.metres ?? 0
            if let features = item["features"] { return self.features(features, prefix: id, buffer: buffer, item, &taken) }
            let place = item["envelope"].flatMap { envelope($0) } ?? item["polygon"].flatMap { polygon($0) }
            return place.map { [AreaSource(id: id, place: $0, buffer: buffer, origin: origin(item))] } ?? []
        }
    }

    /// The ids that are written out, so that ids made of features get out of their way.
    private mutating func checkIDs(_ items: [Node]) -> Set<String> {
        var places: [String: Node] = [:]
        for item in items {
            guard let node = item["id"], let id = node.text, item["features"] == nil else { continue }
            if let first = places[id.lowercased()] {
                let isSame = first.text == id
                problems.error(
                    node.span,
                    isSame
                        ? "the area id `\(id)` is given twice"
                        : "the area ids `\(first.text ?? "")` and `\(id)` differ only in case",
                    hint: "the first one is in line \(first.span.line): an id is the name of the area's folder")
            }
            places[id.lowercased()] = places[id.lowercased()] ?? node
        }
        return Set(places.keys)
    }

    private mutating func envelope(_ node: Node) -> AreaSource.Place? {
        let numbers = ["xmin", "ymin", "xmax", "ymax"].compactMap { node[$0]?.plainNumber }
        guard numbers.count == 4 else { return nil }
        let envelope = Envelope(xmin: numbers[0], ymin: numbers[1], xmax: numbers[2], ymax: numbers[3])
        let reference = reference(node)
        let isAcrossTheDateLine = reference.isWGS84 && envelope.xmin > 90 && envelope.xmax < -90 && envelope.ymin < envelope.ymax
        for (low, high, isWrong) in [
            ("xmin", "xmax", envelope.xmin >= envelope.xmax), ("ymin", "ymax", envelope.ymin >= envelope.ymax),
        ] where isWrong {
            let texts = [low, high].map { node[$0]?.scalar?.text ?? "" }
            problems.error(
                node[low]?.span ?? node.span,
                "`\(low)` must be smaller than `\(high)`; it is \(texts[0]), and `\(high)` is \(texts[1])",
                hint: texts[0] == texts[1] ? nil : isAcrossTheDateLine ? Self.dateLineHint : "swap the two numbers")
        }
        let corners = [Coordinate(x: envelope.xmin, y: envelope.ymin), Coordinate(x: envelope.xmax, y: envelope.ymax)]
        for (corner, keys) in zip(corners, [("xmin", "ymin"), ("xmax", "ymax")]) {
            if let problem = PlaceCheck.problem([corner], in: reference) {
                let key = abs(corner.y) > 90 ? keys.1 : keys.0
                problems.error(node[key]?.span ?? node.span, problem.message, hint: problem.hint)
                break
            }
        }
        return .shape(.envelope(envelope), reference)
    }

    private static let dateLineHint = "across the 180th meridian, write two areas: one up to 180, one from -180"

    private mutating func polygon(_ node: Node) -> AreaSource.Place? {
        if let path = node.text {
            guard let file = areaFile(path, node) else { return nil }
            do throws(AreaProblem) {
                return .shape(.polygon(try file.single()), file.reference)
            } catch {
                problems.error(node.span, "\(path): \(error.message)", hint: error.hint)
                return nil
            }
        }
        guard let key = ["rings", "coordinates"].first(where: { node[$0] != nil }), let list = node[key],
            let rings = coordinates(list)
        else { return nil }
        let reference = reference(node)
        do throws(AreaProblem) {
            let polygon = key == "rings" ? try Rings.polygon(anyOrder: rings) : try Rings.polygon(parts: [rings])
            if let problem = PlaceCheck.problem(polygon.rings.joined(), in: reference) { throw problem }
            return .shape(.polygon(polygon), reference)
        } catch {
            problems.error(list.startSpan, error.message, hint: error.hint)
            return nil
        }
    }

    /// nil when a number is wrong; the shape check has said so.
    private func coordinates(_ node: Node) -> [[Coordinate]]? {
        var isWhole = true
        let rings = (node.items ?? []).map { ring in
            (ring.items ?? []).compactMap { position -> Coordinate? in
                guard let items = position.items, items.count >= 2, let x = items[0].plainNumber, let y = items[1].plainNumber
                else {
                    isWhole = false
                    return nil
                }
                return Coordinate(x: x, y: y)
            }
        }
        return isWhole && !rings.isEmpty && rings.allSatisfy { $0.count >= 3 } ? rings : nil
    }

    private func reference(_ node: Node) -> SpatialReference {
        node["wkid"]?.plainInteger.map { $0 == 102100 ? .webMercator : SpatialReference(wkid: $0) } ?? .wgs84
    }

    /// One area for each feature; every feature that cannot be one is named.
    private mutating func features(
        _ node: Node, prefix: String, buffer: Double, _ item: Node, _ taken: inout Set<String>
    ) -> [AreaSource] {
        guard let idField = node["id"]?.text else { return [] }
        if let url = node["url"]?.text {
            let place = AreaSource.Place.layer(url: url, whereClause: node["where"]?.text ?? "1=1", idField: idField)
            return [AreaSource(id: prefix, place: place, buffer: buffer, origin: origin(item))]
        }
        guard let fileNode = node["file"], let path = fileNode.text, let file = areaFile(path, fileNode) else { return [] }
        if file.features.isEmpty { problems.error(fileNode.span, "\(path): the file holds no feature") }
        var areas: [AreaSource] = []
        var numbers: [String: Int] = [:]
        for (index, feature) in file.features.enumerated() {
            let number = index + 1
            let value = idText(feature.properties[idField])
            if value == nil { reportMissingID(feature.properties, idField, number, path, node["id"] ?? node) }
            do throws(AreaProblem) {
                let polygon = try feature.polygon.get()
                if let problem = PlaceCheck.problem(polygon.rings.joined(), in: file.reference) { throw problem }
                guard let value else { continue }
                if let first = numbers[value] {
                    problems.warning(
                        fileNode.span, "\(path): features \(first) and \(number) have the same \(idField), `\(value)`",
                        hint: "they become two areas with a number at the end; dissolve them first to make one area")
                }
                numbers[value] = numbers[value] ?? number
                let id = uniqueID((prefix.isEmpty ? "" : prefix + "-") + Paths.slug(value), &taken)
                areas.append(
                    AreaSource(id: id, place: .shape(.polygon(polygon), file.reference), buffer: buffer, origin: origin(item)))
            } catch {
                problems.error(fileNode.span, "\(path): feature \(number): \(error.message)", hint: error.hint)
            }
        }
        return areas
    }

    /// Upper and lower case are the same name on some file systems.
    private func uniqueID(_ id: String, _ taken: inout Set<String>) -> String {
        id + Paths.unique(id.lowercased(), taken: &taken).dropFirst(id.lowercased().count)
    }

    private mutating func reportMissingID(_ properties: JSON, _ field: String, _ number: Int, _ path: String, _ node: Node) {
        let known = properties.object?.keys ?? []
        let hint: String? =
            if properties[field] != nil {
                "an id is text or a number"
            } else if let near = nearestName(to: field, among: known) {
                "did you mean `\(near)`?"
            } else {
                known.isEmpty ? nil : "it has " + known.prefix(12).map { "`\($0)`" }.joined(separator: ", ")
            }
        let problem = properties[field] == nil ? "has no property `\(field)`" : "has no usable value of `\(field)`"
        problems.error(node.span, "\(path): feature \(number) \(problem)", hint: hint)
    }

    private func idText(_ value: JSON?) -> String? {
        switch value {
        case .string(let text): text.contains { !$0.isWhitespace } ? text : nil
        case .integer(let number): String(number)
        case .number: value?.serialized()
        default: nil
        }
    }

    private mutating func areaFile(_ path: String, _ node: Node) -> AreaFile? {
        do throws(SystemError) {
            let bytes = try read(folder.resolve(path))
            do throws(JSONSyntaxError) {
                let json = try JSON.parse(bytes)
                do throws(AreaProblem) {
                    return try AreaFile(json)
                } catch {
                    problems.error(node.span, "\(path): \(error.message)", hint: error.hint)
                }
            } catch {
                problems.error(node.span, "\(path): not JSON: \(error.reason)")
            }
        } catch {
            problems.error(node.span, "`\(path)` cannot be read: \(error.words)", hint: "it was looked for at \(error.path)")
        }
        return nil
    }
}
