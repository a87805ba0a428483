import CExpat

/// An XML document as a tree of local names: prefixes, attributes and comments are left out, for Esri's files differ in
/// them and mean the same (formats.md 1.4, 3.6).
struct XMLElement {
    /// Without prefix.
    var name: String
    /// The text directly inside, trimmed.
    var text = ""
    var children: [XMLElement] = []

    /// The first child of that name, whatever its case.
    subscript(name: String) -> XMLElement? { children.first { $0.name.lowercased() == name.lowercased() } }

    func all(_ name: String) -> [XMLElement] { children.filter { $0.name.lowercased() == name.lowercased() } }

    /// The first element of that name at any depth.
    func descendant(_ name: String) -> XMLElement? {
        for child in children {
            if child.name.lowercased() == name.lowercased() { return child }
            if let found = child.descendant(name) { return found }
        }
        return nil
    }

    func string(_ name: String) -> String? { self[name].map(\.text).flatMap { $0.isEmpty ? nil : $0 } }
    func double(_ name: String) -> Double? { string(name).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil } }
    func int(_ name: String) -> Int? { string(name).flatMap { Int($0) } ?? double(name).flatMap { Int(exactly: $0) } }
}

/// What expat said, and where.
struct XMLSyntaxError: Error {
    var line: Int
    var reason: String
}

extension XMLElement {
    static func parse(_ bytes: [UInt8]) throws(XMLSyntaxError) -> XMLElement {
        guard let parser = XML_ParserCreate(nil) else { throw XMLSyntaxError(line: 0, reason: "out of memory") }
        defer { XML_ParserFree(parser) }
        let builder = Builder(parser)
        XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, _ in Builder.of(context)?.start(name) },
            { context, _ in Builder.of(context)?.end() })
        // No document of Esri's declares entities, and those that multiply themselves are no data.
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in Builder.of(context)?.refuse("a document type") }
        XML_SetCharacterDataHandler(parser) { context, text, length in Builder.of(context)?.text(text, Int(length)) }
        let status = bytes.withUnsafeBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) { XML_Parse(parser, $0.baseAddress, Int32(clamping: $0.count), 1) }
        }
        guard status == XML_STATUS_OK, let root = builder.root else {
            let code = XML_GetErrorCode(parser)
            let words = XML_ErrorString(code).map { String(cString: $0) }
            throw XMLSyntaxError(
                line: Int(XML_GetCurrentLineNumber(parser)), reason: builder.refusal ?? words ?? "no element")
        }
        return root
    }

    private final class Builder {
        private var open: [XMLElement] = []
        private let parser: OpaquePointer
        private(set) var root: XMLElement?
        private(set) var refusal: String?

        init(_ parser: OpaquePointer) { self.parser = parser }

        static func of(_ context: UnsafeMutableRawPointer?) -> Builder? {
            context.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
        }

        func start(_ name: UnsafePointer<CChar>?) {
            let full = name.map { String(cString: $0) } ?? ""
            if open.count > 200 { refuse("too deep") }
            open.append(XMLElement(name: String(full[(full.lastIndex(of: ":").map(full.index(after:)) ?? full.startIndex)...])))
        }

        /// Ends the parsing.
        func refuse(_ reason: String) {
            refusal = reason
            XML_StopParser(parser, 0)
        }

        func text(_ text: UnsafePointer<CChar>?, _ length: Int) {
            guard let text, let last = open.indices.last else { return }
            open[last].text += String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
        }

        func end() {
            guard var element = open.popLast() else { return }
            element.text = String(element.text.trimmingPrefix(while: \.isWhitespace))
            while element.text.last?.isWhitespace == true { element.text.removeLast() }
            if let parent = open.indices.last { open[parent].children.append(element) } else { root = element }
        }
    }
}
