import Basics

/// What may stand at one place of a manifest. The checker, the JSON Schema and the reference are all made from these values, so
/// that they cannot differ.
indirect enum Shape: Sendable {
    case text(TextForm)
    case choice([String])
    case constant(Int)
    case number(minimum: Double? = nil)
    case integer(minimum: Int, maximum: Int? = nil)
    case flag
    /// `250 m`, or a plain number of metres.
    case length
    /// `2 h`, or a plain number of seconds; more than 0.
    case duration
    /// `2 GB`, `500 MiB`, or a plain number of bytes; at least 1.
    case bytes
    /// A duration, `always` or `never`.
    case age
    /// `12-17`, `12`, `[12, 13]` or `0-5,7,9-11`.
    case levelIDs
    case list(Shape, minimum: Int = 1, itemWords: String)
    case object(ObjectShape)
    /// Told apart by what is written: a scalar, or a list or mapping.
    case either(scalar: Shape, collection: Shape)
}

struct ObjectShape: Sendable {
    /// Rules about which keys stand together.
    enum Rule: Sendable {
        case exactlyOne([String])
        case required(String, unless: String)
        case notTogether(String, String, why: String)
        case atLeast(Int, otherwise: String, hint: String)
        /// The first makes no sense without the second.
        case needs(String, String)
    }

    var keys: [Key]
    var rules: [Rule] = []
    /// A reference to a secret: a scalar in its place is a secret written out.
    var isSecret = false
    /// Scalars that do not belong here may be secrets, and are kept out of excerpts.
    var isGuarded = false

    subscript(name: String) -> Key? { keys.first { $0.name == name } }
}

struct Key: Sendable {
    var name: String
    var shape: Shape
    var isRequired = false
    /// For the reference and for the schema's `description`: what it does, with units.
    var meaning: String
    /// The value that holds when the key is not given.
    var standard: JSON?
    /// The same in words, where it is not one value.
    var standardInWords: String?
    /// YAML of a value.
    var example: String
}

/// Text with a fixed form. One regular expression serves the checker and the schema: only what ICU, ECMAScript and Python read
/// alike, so no `\s`, whose members differ.
enum TextForm: Sendable, CaseIterable {
    case any
    case areaID
    case url
    case serviceURL
    case itemID
    case program
    case environmentName
    case credentialName
    case ruleID
    case mailAddress

    var pattern: String {
        switch self {
        case .any: #"[^\u0000-\u0020\u007f-\u00a0]"#
        // Also the name of a folder: no separator, not hidden, no space, no end in a dot.
        case .areaID: "^[A-Za-z0-9_]([A-Za-z0-9._-]{0,78}[A-Za-z0-9_-])?$"
        // No user information and no query: both are ways to write a secret down.
        case .url: #"^https?://[^\u0000-\u0020\u007f-\u00a0@?#/]+(/[^\u0000-\u0020\u007f-\u00a0@?#]*)?$"#
        case .serviceURL:
            #"^https?://[^\u0000-\u0020\u007f-\u00a0@?#/]+/([^\u0000-\u0020\u007f-\u00a0@?#]*/)?"#
                + "(FeatureServer(/[0-9]{1,9})?|MapServer|ImageServer|VectorTileServer)/?$"
        case .itemID: "^[0-9a-fA-F]{32}$"
        case .program: #"^[^\u0000-\u0020\u007f-\u00a0]+$"#
        case .environmentName: "^[A-Za-z_][A-Za-z0-9_]*$"
        case .credentialName: "^[A-Za-z0-9_][A-Za-z0-9._-]*$"
        case .ruleID: "^OB[0-9]{3}$"
        // One address, nothing that could end a header line or begin another recipient.
        case .mailAddress: #"^[^\u0000-\u0020\u007f-\u00a0@<>(),;:"]+@[^\u0000-\u0020\u007f-\u00a0@<>(),;:"]+$"#
        }
    }

    var words: String {
        switch self {
        case .any: "text"
        case .areaID: "a name of letters, digits, `-`, `_` and `.` (at most 80)"
        case .url: "an address that begins with https:// or http://"
        case .serviceURL: "the address of a FeatureServer, MapServer, ImageServer or VectorTileServer"
        case .itemID: "an item id of 32 hexadecimal digits"
        case .program: "the path of one program"
        case .environmentName: "the name of an environment variable"
        case .credentialName: "the name of a credential"
        case .ruleID: "the number of a rule, such as `OB012`"
        case .mailAddress: "a mail address such as `gis@example.org`"
        }
    }
}

extension Shape {
    /// With its article: "text", "a whole number of at least 1".
    var words: String {
        switch self {
        case .text(let form): form.words
        case .choice(let names): names.count == 1 ? "`\(names[0])`" : "one of " + names.map { "`\($0)`" }.joined(separator: ", ")
        case .constant(let number): "\(number)"
        case .number(let minimum): minimum.map { "a number of at least \(JSON.number($0).serialized())" } ?? "a number"
        case .integer(let minimum, let maximum):
            maximum.map { "a whole number from \(minimum) to \($0)" } ?? "a whole number of at least \(minimum)"
        case .flag: "true or false"
        case .length: "a length such as `250 m` (m, km, ft, mi; a plain number is metres)"
        case .duration: "a duration such as `90 min` (ms, s, min, h, d; a plain number is seconds)"
        case .bytes: "a size such as `500 MB` (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB; a plain number is bytes)"
        case .age: "a duration such as `30 d` (ms, s, min, h, d; a plain number is seconds), `always` or `never`"
        case .levelIDs: "level ids such as `12-17`, `12`, `[12, 13]` or `0-5,7`"
        case .list(_, _, let itemWords): "a list of \(itemWords)"
        case .object(let object): object.isSecret ? "a reference to a secret" : "a mapping"
        case .either(let scalar, let collection): "\(scalar.words), or \(collection.words)"
        }
    }
}
