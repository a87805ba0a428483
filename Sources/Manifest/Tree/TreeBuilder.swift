/// Builds the located tree of the one document of a text. Problems that leave a tree (duplicate keys) are collected; the rest stop it.
struct TreeBuilder {
    /// Collections within collections; a manifest needs 8.
    static let maximumDepth = 64
    /// Nodes that aliases may add: "a billion laughs" ends here.
    static let maximumAliasedNodes = 20_000

    private struct Anchored {
        var node: Node
        var size: Int
    }

    private struct Stop: Error {}

    private var anchors: [String: Anchored] = [:]
    private var built = 0
    private var aliased = 0

    static func build(_ text: String, source: SourceText, problems: inout Problems) -> Node? {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { buffer in
            var builder = TreeBuilder()
            do throws(YAMLSyntaxError) {
                return try builder.document(YAMLEventReader(buffer), &problems)
            } catch {
                problems.report(error, in: source)
                return nil
            }
        }
    }

    private mutating func document(_ events: borrowing YAMLEventReader, _ problems: inout Problems) throws(YAMLSyntaxError)
        -> Node?
    {
        _ = try events.next()
        guard case let start = try events.next(), case .documentStart = start.kind else {
            problems.error(Span(line: 1, column: 1), "the file is empty", hint: Problems.minimalManifest)
            return nil
        }
        let root: Node
        do {
            root = try node(try events.next(), events, depth: 0, &problems)
        } catch let error as YAMLSyntaxError {
            throw error
        } catch {
            return nil
        }
        _ = try events.next()
        let end = try events.next()
        if case .streamEnd = end.kind {
        } else {
            problems.error(
                end.span, "a manifest is one YAML document; a second one begins here", hint: "put it into a file of its own")
        }
        if root.scalar?.core == .null {
            problems.error(Span(line: 1, column: 1), "the file is empty", hint: Problems.minimalManifest)
            return nil
        }
        return root
    }

    private mutating func node(
        _ event: YAMLEvent, _ events: borrowing YAMLEventReader, depth: Int, _ problems: inout Problems
    ) throws -> Node {
        if depth > Self.maximumDepth {
            problems.error(event.span, "lists and mappings are nested more than \(Self.maximumDepth) deep")
            throw Stop()
        }
        let before = built
        built += 1
        var node: Node
        switch event.kind {
        case .alias: return try expand(event, &problems)
        case .scalar(let text, let style):
            let core = coreValue(text, style, tag: event.tag, event.span, &problems)
            node = Node(value: .scalar(Scalar(text: text, style: style, core: core)), span: event.span)
        case .sequenceStart:
            refuseForeignTag(event, known: "tag:yaml.org,2002:seq", &problems)
            node = try sequence(event, events, depth: depth, &problems)
        case .mappingStart:
            refuseForeignTag(event, known: "tag:yaml.org,2002:map", &problems)
            node = try mapping(event, events, depth: depth, &problems)
        default:
            problems.error(event.span, "a value is missing here")
            throw Stop()
        }
        if let anchor = event.anchor { anchors[anchor] = Anchored(node: node, size: built - before) }
        return node
    }

    private mutating func sequence(
        _ start: YAMLEvent, _ events: borrowing YAMLEventReader, depth: Int, _ problems: inout Problems
    ) throws -> Node {
        var items: [Node] = []
        while true {
            let event = try events.next()
            if case .sequenceEnd = event.kind {
                return Node(value: .sequence(items), span: start.span.extended(to: event.span))
            }
            items.append(try node(event, events, depth: depth + 1, &problems))
        }
    }

    private mutating func mapping(
        _ start: YAMLEvent, _ events: borrowing YAMLEventReader, depth: Int, _ problems: inout Problems
    ) throws -> Node {
        var entries: [Node.Entry] = []
        var places: [String: Span] = [:]
        while true {
            let event = try events.next()
            if case .mappingEnd = event.kind {
                return Node(value: .mapping(entries), span: start.span.extended(to: event.span))
            }
            let key = try node(event, events, depth: depth + 1, &problems)
            var value = try node(try events.next(), events, depth: depth + 1, &problems)
            if let scalar = value.scalar, scalar.text.isEmpty, scalar.style == .plain { value.span = key.span }
            guard let name = key.scalar?.text else {
                problems.error(key.span, "a key is plain text, not \(key.kindInWords)")
                continue
            }
            if let first = places[name] {
                problems.error(
                    key.span, "the key `\(name)` is given twice",
                    hint: "the first one is in line \(first.line): keep one of the two")
                // The value is left out of the tree, yet it may be a secret that stands in an excerpt.
                if SecretWords.suspects(name) { problems.hide(value) }
            } else {
                places[name] = key.span
                entries.append(Node.Entry(key: key, value: value))
            }
        }
    }

    /// The anchored value, at the place of the alias.
    private mutating func expand(_ event: YAMLEvent, _ problems: inout Problems) throws -> Node {
        let name = event.anchor ?? ""
        guard let anchored = anchors[name] else {
            problems.error(event.span, "nothing above is marked `&\(name)`")
            throw Stop()
        }
        built += anchored.size
        aliased += anchored.size
        if aliased > Self.maximumAliasedNodes {
            problems.error(event.span, "aliases make this file more than \(Self.maximumAliasedNodes) values long")
            throw Stop()
        }
        var node = anchored.node
        node.span = event.span
        return node
    }

    private func coreValue(
        _ text: String, _ style: Scalar.Style, tag: String?, _ span: Span, _ problems: inout Problems
    ) -> CoreValue {
        switch tag {
        case nil: return style == .plain ? CoreValue(plain: text) : .text
        case "!", "tag:yaml.org,2002:str": return .text
        case "tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:null":
            return CoreValue(plain: text)
        default:
            problems.error(span, "YAML tags are not used in a manifest", hint: "leave out the word that begins with `!`")
            return .text
        }
    }

    private func refuseForeignTag(_ event: YAMLEvent, known: String, _ problems: inout Problems) {
        guard let tag = event.tag, tag != known, tag != "!" else { return }
        problems.error(event.span, "YAML tags are not used in a manifest", hint: "leave out the word that begins with `!`")
    }
}

extension Span {
    /// From the start of this one to the end of `last`; a block collection ends where the next thing begins, so only its start is kept.
    fileprivate func extended(to last: Span) -> Span {
        Span(line: line, column: column, endLine: last.endLine, endColumn: last.endColumn)
    }
}
