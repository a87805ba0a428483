import Basics

/// What becomes of a map when a layer of it does not come.
enum FailureKeys {
    static let onError = Key(
        name: "onError", shape: .choice(FailurePolicy.allCases.map(\.rawValue)),
        meaning:
            "What a layer that fails, or that cannot be looked at when the plan is made, does to its area. `fail`: the area keeps its last "
            + "good map; what cannot be looked at refuses the plan. `skip`: the map is made without the layer and counts as incomplete "
            + "(`publish`). `keepLastGood`: the layer's file of the last good map goes into the new one, marked as stale; where there is "
            + "none, as `fail`. The run ends with 2 whatever a map lacks.",
        standard: .string(FailurePolicy.fail.rawValue), example: "keepLastGood")

    static let ofLayer = Key(
        name: "onError", shape: onError.shape,
        meaning:
            "What the layer does to its area when it fails. Layers of one feature service come together, so the strictest of them "
            + "decides: `fail`, then `keepLastGood`, then `skip`.",
        standardInWords: "as the manifest's `onError` says", example: "skip")

    static let publish = Key(
        name: "publish", shape: .choice(PublishPolicy.allCases.map(\.rawValue)),
        meaning:
            "Which maps take the place of a complete one: `complete`, only those that lack no layer; `partial`, also those that "
            + "`onError: skip` has made incomplete. Where no complete map is current, an incomplete one is published with both.",
        standard: .string(PublishPolicy.complete.rawValue), example: "partial")
}
