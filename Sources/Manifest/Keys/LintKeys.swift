/// What `lint` is not to complain about.
enum LintKeys {
    static let lint = ObjectShape(keys: [
        Key(
            name: "ignore", shape: .list(.object(ignore), itemWords: "entries"),
            meaning: "Findings that are known and accepted. An entry that fits no finding is one itself.",
            standardInWords: "none", example: "[{ rule: OB012, layer: Hydrant, reason: read only }]")
    ])

    static let ignore = ObjectShape(keys: [
        Key(
            name: "rule", shape: .text(.ruleID), isRequired: true, meaning: "The number of the rule (docs/rules.md).",
            example: "OB012"),
        Key(
            name: "layer", shape: .text(.any), meaning: "The title of the layer in the map.", standardInWords: "every layer",
            example: "Hydrant"),
        Key(
            name: "reason", shape: .text(.any), isRequired: true, meaning: "Why it is accepted; reports repeat it.",
            example: "read only"),
    ])
}
