/// What `lint` warns of beside the verdicts: Esri's own checks for offline maps (REST reference 10.7). None of them keeps a layer
/// online; a server may still refuse for their sake.
public enum WarningRule: String, Sendable, Hashable, CaseIterable {
    /// Field types that older replicas cannot hold.
    case fieldType = "OB050 field-type"
    /// More than 31 characters.
    case longFieldName = "OB051 long-field-name"
    /// The name is a word of SQL.
    case fieldKeyword = "OB052 field-keyword"
    /// An index whose name has `+` or `-`.
    case indexName = "OB053 index-name"
    /// The key of a relationship, or the subtype field, is no field of the layer.
    case missingKeyField = "OB054 missing-key-field"
    /// The flags of true curves say the same: edits made offline may be refused.
    case trueCurves = "OB055 true-curves"
    /// An export base map that Esri has declared deprecated (REST reference 8).
    case deprecatedBasemap = "OB060 deprecated-basemap"
    /// A style that draws several sources.
    case severalSources = "OB061 several-sources"
    /// Two layers of the map have the same address.
    case sharedURL = "OB062 shared-url"
    /// The map's author has switched offline use off; `plan` refuses it (REST reference 9.7).
    case offlineDisabled = "OB063 offline-disabled"
    /// Esri's tools have not found the map fit for offline use.
    case offlineUnchecked = "OB064 offline-unchecked"
    /// A base map that needs an account of ArcGIS Online, in a map of another portal.
    case storedCredentials = "OB065 stored-credentials"
    /// Map notes or a route.
    case notesAndRoutes = "OB066 notes-and-routes"
    /// An entry of `layers` that matches no layer of the map; `plan` refuses it.
    case idleOverride = "OB069 idle-override"
    /// An entry of `lint: ignore` that fits no finding.
    case idleIgnore = "OB070 idle-ignore"
}
