import Geography

/// Numbers that cannot be places of their coordinate system.
enum PlaceCheck {
    /// Longitudes count from -180 to 180, or from 0 to 360, and may run on over the antimeridian.
    private static let farthest = 360.0

    static func problem(_ coordinates: some Sequence<Coordinate>, in reference: SpatialReference) -> AreaProblem? {
        guard reference.isWGS84 else { return nil }
        for place in coordinates where abs(place.y) > 90 || abs(place.x) > farthest {
            let hint: String? =
                if max(abs(place.x), abs(place.y)) > 1000 {
                    "these look like metres: say which, for example with `wkid: 3857`"
                } else if abs(place.x) <= 90 && abs(place.y) <= 180 {
                    "x is the longitude, y the latitude: are they swapped?"
                } else {
                    nil
                }
            let message =
                abs(place.y) > 90
                ? "latitude \(place.y) is not between -90 and 90" : "longitude \(place.x) is not between -180 and 180"
            return AreaProblem(message, hint: hint)
        }
        return nil
    }
}
