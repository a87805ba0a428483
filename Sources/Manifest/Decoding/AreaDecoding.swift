import Basics
import Geography

extension ManifestDecoder {
    mutating func areas(_ node: Node?) -> [AreaSource] {
        let items = node?.items ?? []
        var taken = checkIDs(items)
        return items.flatMap { item -> [AreaSource] in
            var source = AreaSource(
                id: item["id"]?.text ?? "", place: .paths([], .wgs84), buffer: item["buffer"]?.metres ?? 0,
                simplify: item["simplify"]?.metres.flatMap { $0 > 0 ? $0 : nil }, origin: origin(item))
            if let features = item["features"] { return self.features(features, source, &taken) }
            guard let place = place(item) else { return [] }
            if case .paths = place, source.buffer <= 0, let node = item["buffer"] {
                problems.error(node.span, "`buffer` must be more than 0: the area is what lies within it")
            }
            if case .shape(.envelope, _) = place, let node = item.entry("simplify") {
                problems.warning(node.key.span, "`simplify` has no effect: an envelope has four corners")
            }
            source.place = place
            return [source]
        }
    }

    private mutating func place(_ item: Node) -> AreaSource.Place? {
        if let node = item["envelope"] { return envelope(node) }
        if let node = item["polygon"] { return polygon(node) }
        if let node = item["point"] { return point(node) }
        return item["line"].flatMap { line($0) }
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
        guard numbers.count == 4, let (reference, frame) = reference(node) else { return nil }
        var envelope = Envelope(xmin: numbers[0], ymin: numbers[1], xmax: numbers[2], ymax: numbers[3])
        if let frame, envelope.isWrapped(in: frame) { envelope.xmax += frame.width }
        for (low, high, isWrong) in [
            ("xmin", "xmax", envelope.xmin >= envelope.xmax), ("ymin", "ymax", envelope.ymin >= envelope.ymax),
        ] where isWrong {
            let texts = [low, high].map { node[$0]?.scalar?.text ?? "" }
            problems.error(
                node[low]?.span ?? node.span,
                "`\(low)` must be smaller than `\(high)`; it is \(texts[0]), and `\(high)` is \(texts[1])",
                hint: texts[0] == texts[1] ? nil : "swap the two numbers")
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

    private mutating func polygon(_ node: Node) -> AreaSource.Place? {
        if let path = node.text { return file(path, .polygon, node) }
        guard let key = ["rings", "coordinates"].first(where: { node[$0] != nil }), let list = node[key],
            let rings = coordinates(list.items ?? [], minimum: 3), let (reference, frame) = reference(node)
        else { return nil }
        return geometry(at: list, reference) { () throws(AreaProblem) in
            .polygon(
                key == "rings"
                    ? try Rings.polygon(anyOrder: rings, frame: frame) : try Rings.polygon(parts: [rings], frame: frame))
        }
    }

    private mutating func point(_ node: Node) -> AreaSource.Place? {
        if let path = node.text { return file(path, .point, node) }
        guard let x = node["x"]?.plainNumber, let y = node["y"]?.plainNumber, let (reference, _) = reference(node) else {
            return nil
        }
        return geometry(at: node, reference) { .places([[Coordinate(x: x, y: y)]]) }
    }

    private mutating func line(_ node: Node) -> AreaSource.Place? {
        if let path = node.text { return file(path, .line, node) }
        guard let list = node["paths"] ?? node["coordinates"],
            let paths = coordinates(node["paths"]?.items ?? [list], minimum: 2), let (reference, frame) = reference(node)
        else { return nil }
        return geometry(at: list, reference) { () throws(AreaProblem) in .lines(try Rings.lines(paths, frame: frame)) }
    }

    private mutating func file(_ path: String, _ kind: AreaGeometry.Kind, _ node: Node) -> AreaSource.Place? {
        guard let file = areaFile(path, node) else { return nil }
        do throws(AreaProblem) {
            return try file.single(kind).place(in: file.reference)
        } catch {
            problems.error(node.span, "\(path): \(error.message)", hint: error.hint)
            return nil
        }
    }

    private mutating func geometry(
        at node: Node, _ reference: SpatialReference, _ make: () throws(AreaProblem) -> AreaGeometry
    ) -> AreaSource.Place? {
        do throws(AreaProblem) {
            let geometry = try make()
            if let problem = PlaceCheck.problem(geometry.coordinates, in: reference) { throw problem }
            return geometry.place(in: reference)
        } catch {
            problems.error(node.startSpan, error.message, hint: error.hint)
            return nil
        }
    }

    /// nil when a number is wrong; the shape check has said so.
    private func coordinates(_ paths: [Node], minimum: Int) -> [[Coordinate]]? {
        var isWhole = true
        let paths = paths.map { path in
            (path.items ?? []).compactMap { position -> Coordinate? in
                guard let items = position.items, items.count >= 2, let x = items[0].plainNumber, let y = items[1].plainNumber
                else {
                    isWhole = false
                    return nil
                }
                return Coordinate(x: x, y: y)
            }
        }
        return isWhole && !paths.isEmpty && paths.allSatisfy { $0.count >= minimum } ? paths : nil
    }

    /// With the frame of its world; nil, and said, when nobody knows the system.
    private mutating func reference(_ node: Node) -> (SpatialReference, WorldFrame?)? {
        let id = node["wkid"]?.plainInteger ?? 4326
        let text = node["spatialReference"]?.text
        if text == nil && id < 1 { return nil }
        do throws(AreaProblem) {
            let reference = if let text { try Systems.reference(text) } else { try Systems.reference(wkid: id) }
            return (reference, try? WorldFrame.of(reference))
        } catch {
            problems.error((node["spatialReference"] ?? node["wkid"] ?? node).span, error.message, hint: error.hint)
            return nil
        }
    }

    /// One area for each feature; every feature that cannot be one is named.
    private mutating func features(
        _ node: Node, _ source: AreaSource, _ taken: inout Set<String>
    ) -> [AreaSource] {
        let prefix = source.id
        var source = source
        guard let idField = node["id"]?.text else { return [] }
        if let url = node["url"]?.text {
            source.place = .layer(url: url, whereClause: node["where"]?.text ?? "1=1", idField: idField)
            return [source]
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
                let geometry = try feature.geometry.get()
                if let problem = PlaceCheck.problem(geometry.coordinates, in: file.reference) { throw problem }
                if geometry.kind != .polygon, source.buffer <= 0 {
                    throw AreaProblem("a \(geometry.kind.rawValue) has no area: it needs a `buffer`")
                }
                guard let value else { continue }
                if let first = numbers[value] {
                    problems.warning(
                        fileNode.span, "\(path): features \(first) and \(number) have the same \(idField), `\(value)`",
                        hint: "they become two areas with a number at the end; dissolve them first to make one area")
                }
                numbers[value] = numbers[value] ?? number
                source.id = uniqueID((prefix.isEmpty ? "" : prefix + "-") + Paths.slug(value), &taken)
                source.place = geometry.place(in: file.reference)
                areas.append(source)
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

extension Envelope {
    /// From the eastern half of the world to the western one, across the antimeridian: 177 to -178. A box that would be wider than
    /// half of the world is more likely one whose numbers were swapped.
    fileprivate func isWrapped(in frame: WorldFrame) -> Bool {
        let middle = frame.box.center.x
        return xmin > middle && xmax < middle && xmax + frame.width - xmin <= frame.width / 2
    }
}
