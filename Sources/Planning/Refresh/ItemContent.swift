import Basics

extension JSON {
    /// A portal item without what changes whenever somebody looks at it (REST reference 1.2): it is no part of a map, and a plan
    /// that held it would be another one every night.
    var withoutUsage: JSON {
        var item = self
        for key in [
            "numComments", "numRatings", "avgRating", "numViews", "lastViewed", "scoreCompleteness", "size", "groupDesignations",
        ] { item[key] = Optional<JSON>.none }
        return item
    }
}
