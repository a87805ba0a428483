import CYAML

/// One event of libyaml, without its C types.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias
        case scalar(text: String, style: Scalar.Style)
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
    }

    var kind: Kind
    var anchor: String?
    var tag: String?
    var span: Span
}

/// Why a text is no YAML, in libyaml's words.
struct YAMLSyntaxError: Error {
    var reason: String
    var span: Span
}

/// Pulls events out of libyaml. It owns the C parser; `bytes` must outlive it.
struct YAMLEventReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        parser = .allocate(capacity: 1)
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    func next() throws(YAMLSyntaxError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        defer { yaml_event_delete(&event) }
        let span = Span(
            line: event.start_mark.line + 1, column: event.start_mark.column + 1,
            endLine: event.end_mark.line + 1, endColumn: event.end_mark.column + 1)
        switch event.type {
        case YAML_STREAM_START_EVENT: return YAMLEvent(kind: .streamStart, span: span)
        case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, span: span)
        case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, span: span)
        case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias, anchor: Self.string(event.data.alias.anchor), span: span)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return YAMLEvent(
                kind: .scalar(text: text, style: Self.style(scalar.style)), anchor: Self.string(scalar.anchor),
                tag: Self.string(scalar.tag), span: span)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            return YAMLEvent(kind: .sequenceStart, anchor: Self.string(start.anchor), tag: Self.string(start.tag), span: span)
        case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, span: span)
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            return YAMLEvent(kind: .mappingStart, anchor: Self.string(start.anchor), tag: Self.string(start.tag), span: span)
        case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, span: span)
        default: return YAMLEvent(kind: .streamEnd, span: span)
        }
    }

    private func failure() -> YAMLSyntaxError {
        let words = [parser.pointee.context, parser.pointee.problem].compactMap { $0.map { String(cString: $0) } }
        var span = Span(line: parser.pointee.problem_mark.line + 1, column: parser.pointee.problem_mark.column + 1)
        if parser.pointee.error == YAML_READER_ERROR {
            // The reader counts bytes, not lines.
            let before = String(decoding: bytes.prefix(parser.pointee.problem_offset), as: UTF8.self)
            let lines = SourceText(file: "", text: before).lines
            span = Span(line: lines.count, column: (lines.last?.count ?? 0) + 1)
        }
        return YAMLSyntaxError(reason: words.joined(separator: ", "), span: span)
    }

    private static func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? { text.map { String(cString: $0) } }

    private static func style(_ style: yaml_scalar_style_t) -> Scalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }
}
