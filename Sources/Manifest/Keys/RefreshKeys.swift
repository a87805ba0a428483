import Basics

/// When what did not change is fetched again, and what happens when something changed that apps rely on.
enum RefreshKeys {
    static let refresh = ObjectShape(
        keys: [
            Key(
                name: "tiles", shape: .age,
                meaning:
                    "Tiles, vector tiles and styles. A duration: at the latest when they are so old, before when the item behind them "
                    + "was changed. `always`: every night. `never`: once, and again only when the manifest asks for other tiles.",
                standardInWords: "when the item behind them was changed; every night where there is none", example: "30 d")
        ], rules: [.atLeast(1, otherwise: "`refresh` says nothing", hint: "give `tiles`")])

    static let ofLayer = Key(
        name: "refresh", shape: .age,
        meaning:
            "When the layer is fetched again although nothing changed: at the latest when it is so old, `always` (every night) or `never`. "
            + "Layers of one feature service come together, so the most eager of them decides.",
        standardInWords: "when its source was edited; every night where the source does not say", example: "7 d")

    static let onDrift = Key(
        name: "onDrift", shape: .choice(DriftPolicy.allCases.map(\.rawValue)),
        meaning:
            "What to do when the map or a service has lost something since the last good run: a layer or field is gone, has another type "
            + "or geometry, or cannot go offline any more. `skip` keeps the last good map of the area (exit 2), `stop` starts nothing "
            + "(exit 66), `accept` goes on. New layers and fields are noted only.",
        standard: .string(DriftPolicy.skip.rawValue), example: "stop")
}
