import ArcGIS
import Basics
import Geography

/// One reason why a plan cannot be made, and where.
public struct PlanProblem: Codable, Sendable, Equatable {
    public var area: String?
    public var layer: LayerLabel?
    /// "file:line:column" of the manifest entry that led here.
    public var origin: String?
    public var failure: Failure

    public init(area: String? = nil, layer: LayerLabel? = nil, origin: String? = nil, failure: Failure) {
        self.area = area
        self.layer = layer
        self.origin = origin
        self.failure = failure
    }
}

/// All problems of a plan at once; nothing was started.
public struct PlanRefusal: Error, Sendable, Equatable {
    public var problems: [PlanProblem]

    public init(problems: [PlanProblem]) { self.problems = problems }

    /// Sign-in before everything; a later try helps only when it helps all.
    public var outcome: Outcome {
        let outcomes = Set(problems.map { Outcome(stoppedBy: $0.failure) })
        let first = [Outcome.denied, .storage, .internal, .interrupted].first(where: outcomes.contains)
        return first ?? (outcomes == [.unavailable] ? .unavailable : .refused)
    }
}

extension Outcome {
    /// How a command ends that `failure` stopped before any job ran (design chapter 6).
    public init(stoppedBy failure: Failure) {
        self =
            switch failure.kind {
            case .denied: .denied
            case .storage: .storage
            case .internal: .internal
            case .cancelled: .interrupted
            // What came was not ArcGIS's answer, or came too late: another day it may.
            case .transient, .deadline, .verification, .serverJob: .unavailable
            case .permanent, .upstream: .refused
            }
    }
}

extension Failure {
    public init(_ phase: Phase, _ error: ArcGISError) {
        let kind: Class =
            if error.isDenied || error.isAuthentication || error.isRefusedSignIn { .denied } else if error.isTransient {
                .transient
            } else {
                error.localClass
            }
        var details = error.details + [error.url]
        // A title can only have come from a web page; its words alone ("Sign In") would not say so.
        if case .notJSON(_?, _, _) = error.kind { details.insert("an HTML page came instead of JSON", at: 0) }
        self.init(
            phase: error.isRefusedSignIn || (error.isAuthentication && phase == .metadata) ? .signIn : phase, kind: kind,
            code: error.code,
            // Kept in the state as they are here; servers quote requests.
            message: Redaction.text(error.message), details: details.map(Redaction.text),
            retryAfterSeconds: error.retryAfter.map { $0 / .seconds(1) })
    }

    public init(_ phase: Phase, _ error: GeographyError) {
        self.init(phase: phase, kind: .permanent, message: error.reason)
    }

    static func refusal(_ message: String, _ details: [String] = []) -> Failure {
        Failure(phase: .plan, kind: .permanent, message: message, details: details)
    }
}

extension ArcGISError {
    fileprivate var localClass: Failure.Class {
        guard case .transport(let error) = kind else { return .permanent }
        return switch error.kind {
        case .cancelled: .cancelled
        case .localStorage: .storage
        case .proxySignIn: .denied
        default: .permanent
        }
    }
}

extension GeographyError {
    /// For the message of a failure; the next step is the reporter's.
    var reason: String {
        switch self {
        case .unknownSpatialReference(let reference): "unknown spatial reference \(reference.json.serialized())"
        case .transformFailed(let words): "the area cannot be projected: \(words)"
        case .outsideDomain(let place): "(\(place.x), \(place.y)) is outside of the spatial reference"
        case .crossesAntimeridian: "the area reaches over the edge of the spatial reference"
        case .beyondWebMercator: "nothing is left of the area in Web Mercator, which ends at 85.0511° north and south"
        case .tooLarge(let radius): "a buffer of \(Int(radius / 1000)) km is more than 1,000 km"
        case .needsBuffer: "a point or a line has no area: it needs a `buffer`"
        case .empty: "nothing is left of the area"
        case .notFinite: "a coordinate is not a number"
        case .geometryFailed(let words): "the area is not a valid polygon: \(words)"
        }
    }
}
