import Basics

/// The JSON Schema (2020-12) of manifests, for editors and for `offline-batch schema`.
public enum ManifestSchema {
    /// Indented text, ends with a newline; the same as `schemas/manifest.schema.json`.
    public static let json: String = document.serialized(.indented) + "\n"

    static let document: JSON = {
        var root = schema(ManifestKeys.manifest)
        var members = [
            JSONObject.Member(key: "$schema", value: "https://json-schema.org/draft/2020-12/schema"),
            JSONObject.Member(key: "title", value: "offline-batch manifest"),
            JSONObject.Member(key: "description", value: "Which web map or services to take offline, for which areas, and how."),
        ]
        members += root.object?.members ?? []
        root = .object(JSONObject(members))
        root["$defs"] = ["secret": schema(AuthKeys.secret)]
        return root
    }()

    private static func schema(_ object: ObjectShape) -> JSON {
        var result: JSON = ["type": "object", "additionalProperties": false]
        result["properties"] = .object(JSONObject(object.keys.map { JSONObject.Member(key: $0.name, value: schema($0)) }))
        let required = object.keys.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { result["required"] = .array(required) }
        let rules = object.rules.map(schema)
        if !rules.isEmpty { result["allOf"] = .array(rules) }
        return result
    }

    private static func schema(_ key: Key) -> JSON {
        var result = schema(key.shape)
        let standard = key.standardInWords.map { " Default: \($0)." } ?? ""
        result["description"] = .string(key.meaning + standard)
        if let standard = key.standard { result["default"] = standard }
        return result
    }

    private static func schema(_ rule: ObjectShape.Rule) -> JSON {
        func requires(_ names: String...) -> JSON { ["required": .array(names.map(JSON.string))] }
        return switch rule {
        case .exactlyOne(let names): ["oneOf": .array(names.map { requires($0) })]
        case .required(let name, let other): ["anyOf": [requires(name), requires(other)]]
        case .notTogether(let first, let second, _): ["not": requires(first, second)]
        case .atLeast(let count, _, _): ["minProperties": JSON(count)]
        case .needs(let name, let other):
            ["dependentRequired": .object(JSONObject([JSONObject.Member(key: name, value: [.string(other)])]))]
        }
    }

    private static func schema(_ shape: Shape) -> JSON {
        switch shape {
        case .text(let form): return text(form.pattern)
        case .choice(let names): return ["enum": .array(names.map(JSON.string))]
        case .constant(let number): return ["const": JSON(number)]
        case .number(let minimum):
            var result: JSON = ["type": "number"]
            if let minimum { result["minimum"] = .number(minimum) }
            return result
        case .integer(let minimum, let maximum):
            var result: JSON = ["type": "integer", "minimum": JSON(minimum)]
            if let maximum { result["maximum"] = JSON(maximum) }
            return result
        case .flag: return ["type": "boolean"]
        case .length: return ["anyOf": [["type": "number", "minimum": 0], text(Quantities.lengthPattern)]]
        case .duration: return ["anyOf": [["type": "number", "exclusiveMinimum": 0], text(Quantities.durationPattern)]]
        case .bytes: return ["anyOf": [["type": "integer", "minimum": 1], text(Quantities.bytesPattern)]]
        case .age:
            return [
                "anyOf": [
                    ["type": "number", "exclusiveMinimum": 0], ["enum": .array(Quantities.ageWords.map(JSON.string))],
                    text(Quantities.durationPattern),
                ]
            ]
        case .levelIDs:
            let level: JSON = ["type": "integer", "minimum": 0, "maximum": JSON(Quantities.maximumLevel)]
            return ["anyOf": [level, text(Quantities.levelsPattern), ["type": "array", "items": level, "minItems": 1]]]
        case .list(let item, let minimum, _): return ["type": "array", "items": schema(item), "minItems": JSON(minimum)]
        case .object(let object): return object.isSecret ? ["$ref": "#/$defs/secret"] : schema(object)
        case .either(let scalar, let collection): return ["anyOf": [schema(scalar), schema(collection)]]
        }
    }

    private static func text(_ pattern: String) -> JSON { ["type": "string", "pattern": .string(pattern)] }
}
