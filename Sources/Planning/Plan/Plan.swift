import ArcGIS
import Basics
import Geography
import Manifest

/// Everything that a run will do, as plain data: it prints, diffs, saves as JSON, is hashed, and another machine can run it.
/// It holds no secret and no time.
public struct Plan: Codable, Sendable, Equatable {
    /// Raised when the meaning of a member changes.
    public var formatVersion = 1
    public var name: String
    public var portal: String
    public var map: PlannedMap
    public var areas: [PlannedArea]
    public var layers: [PlannedLayer]
    /// Layers that bring nothing to an area because they have nothing there.
    public var gaps: [PlannedGap]
    public var jobs: [Job]
    public var limits: PlannedLimits
    public var keep: Retention
    /// The areas that were asked for by name; empty for all. A part of a manifest is another plan than the whole.
    public var onlyAreas: [String]
    /// What the manifest does not say and still holds, and why.
    public var notes: [String]
    /// What differs from the maps that are out, as far as an app may notice; filled where they are at hand.
    public var drift: [Drift] = []
    /// Areas whose map stays whatever their jobs would bring, with the reason; filled with `drift`.
    public var held: [String: String] = [:]
    public var losses = PlannedLosses()
    /// Whom planning has asked, as whom, and which way; the accounts and proxies of the machine that planned.
    public var servers: [ServerStanding] = []

    public init(
        name: String, portal: String, map: PlannedMap, areas: [PlannedArea], layers: [PlannedLayer], gaps: [PlannedGap] = [],
        jobs: [Job], limits: PlannedLimits, keep: Retention, onlyAreas: [String] = [], notes: [String] = []
    ) {
        self.name = name
        self.portal = portal
        self.map = map
        self.areas = areas
        self.layers = layers
        self.gaps = gaps
        self.jobs = jobs
        self.limits = limits
        self.keep = keep
        self.onlyAreas = onlyAreas
        self.notes = notes
    }

    /// Why a layer that is to be fetched is not fetched for an area.
    public func gap(of layer: String, in area: String) -> PlannedGap? {
        gaps.first { $0.layer.id == layer && $0.area == area }
    }

    /// SHA-256 of the canonical JSON of what the manifest and the services say, the jobs one by one behind the rest: without
    /// estimates, without what compares with the maps that are out here, and without who asked. Equal plans have equal hashes on
    /// every machine.
    public var hash: String {
        let hash = SHA256()
        var rest = self
        rest.drift = []
        rest.held = [:]
        rest.servers = []
        rest.jobs = []
        do {
            hash.update(try JSON.encoding(rest).utf8(.canonical))
            for var job in jobs {
                job.estimate = Estimate()
                job.decide(.new)
                hash.update(try JSON.encoding(job).utf8(.canonical))
            }
            return hash.finalize()
        } catch {
            // Encoding plain values cannot fail; a plan that does not encode has no hash to compare.
            return ""
        }
    }
}

/// The map as it will travel: its document whole, and what its portal item says.
public struct PlannedMap: Codable, Sendable, Equatable {
    /// The manifest names no web map; the title is the manifest's name.
    public var isMadeOfServices = false
    /// What the manifest's `services:` were found to be.
    public var services: [RememberedService] = []
    /// nil for a map from a file, or of services.
    public var itemID: String?
    public var title: String
    public var document: JSON
    /// The portal item's JSON; null for a map from a file.
    public var item: JSON
    /// Where the item's thumbnail is; nil when it has none.
    public var thumbnailURL: String?
    /// What the manifest says instead of the item.
    public var itemInfo = ItemInfo()
    /// The map's own, else that of its first base layer (REST reference 9.1).
    public var spatialReference: SpatialReference

    public init(
        itemID: String?, title: String, document: JSON, item: JSON, thumbnailURL: String?,
        spatialReference: SpatialReference = .webMercator
    ) {
        self.itemID = itemID
        self.title = title
        self.document = document
        self.item = item
        self.thumbnailURL = thumbnailURL
        self.spatialReference = spatialReference
    }
}

public struct PlannedArea: Codable, Sendable, Equatable {
    public var id: String
    /// With the area's buffer applied, within the world of its spatial reference.
    public var shape: AreaShape
    public var spatialReference: SpatialReference
    public var remarks: [AreaRemark]

    public init(id: String, shape: AreaShape, spatialReference: SpatialReference, remarks: [AreaRemark] = []) {
        self.id = id
        self.shape = shape
        self.spatialReference = spatialReference
        self.remarks = remarks
    }

    /// Its polygon crossed itself.
    public var isRepaired: Bool { remarks.contains(.repaired) }
}

/// What will become of one layer or table of the map, in every area alike.
public struct PlannedLayer: Codable, Sendable, Equatable {
    /// The layer's id in the map; unique there.
    public var id: String
    public var title: String
    /// Titles of the group layers around it, outermost first.
    public var groups: [String]
    public var url: String?
    /// The layer's number in its service; nil where there is none.
    public var serviceLayerID: Int?
    public var verdict: Verdict
    /// The named rule behind the verdict.
    public var rule: String
    public var reason: String
    /// The second part of the ids of the jobs that bring it (`<area>/<slug>/<kind>`); nil when nothing is fetched for it.
    public var source: String?
    /// Of a layer or table of a feature service.
    public var schema: LayerSchema?
    /// The manifest put it into the map (`services`, `referenceBasemap`).
    public var isOfManifest = false

    public init(
        id: String, title: String, groups: [String], url: String?, serviceLayerID: Int? = nil, verdict: Verdict, rule: String,
        reason: String, source: String?
    ) {
        self.id = id
        self.title = title
        self.groups = groups
        self.url = url
        self.serviceLayerID = serviceLayerID
        self.verdict = verdict
        self.rule = rule
        self.reason = reason
        self.source = source
    }
}

/// A layer of which nothing comes in an area: its service has no tiles there, or its jobs failed.
public struct PlannedGap: Codable, Sendable, Equatable {
    public var area: String
    public var layer: LayerLabel
    /// It stays in that area's map with its URL; false: it is left out there (`onlineOnlyServicesOption`).
    public var staysOnline: Bool
    /// Why it did not come; nil where there is nothing to come.
    public var failure: Failure?

    public init(area: String, layer: LayerLabel, staysOnline: Bool = true, failure: Failure? = nil) {
        self.area = area
        self.layer = layer
        self.staysOnline = staysOnline
        self.failure = failure
    }
}

/// `LimitSettings` in whole milliseconds, so that a plan compares and hashes exactly.
public struct PlannedLimits: Codable, Sendable, Equatable {
    public var jobsPerHost: Int
    public var jobsPerService: Int
    public var connectionsPerHost: Int
    public var jobDeadlineMilliseconds: Int
    public var connectTimeoutMilliseconds: Int
    public var inactivityTimeoutMilliseconds: Int
    public var attempts: Int
    public var continueOnErrors: Bool

    public init(_ settings: LimitSettings, continueOnErrors: Bool) {
        jobsPerHost = settings.jobsPerHost
        jobsPerService = settings.jobsPerService
        connectionsPerHost = settings.connectionsPerHost
        jobDeadlineMilliseconds = settings.jobDeadline.milliseconds
        connectTimeoutMilliseconds = settings.connectTimeout.milliseconds
        inactivityTimeoutMilliseconds = settings.inactivityTimeout.milliseconds
        attempts = settings.attempts
        self.continueOnErrors = continueOnErrors
    }
}
