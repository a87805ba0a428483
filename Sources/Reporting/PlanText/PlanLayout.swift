import Basics
import Geography
import Planning

/// What the plan says about one layer in one area.
struct PlannedRow {
    var layer: PlannedLayer
    /// The job that brings it; nil when nothing is fetched.
    var job: Job?
    /// The layer's service has nothing there.
    var gap: PlannedGap?

    /// A layer's jobs are named `<area>/<source>/<kind>` (`PlannedLayer.source`).
    static func rows(of plan: Plan, area: String) -> [PlannedRow] {
        let jobs = plan.jobs.filter { $0.area == area }
        return plan.layers.map { layer in
            let job = layer.source.flatMap { source in
                let own = jobs.filter { $0.id.hasPrefix("\(area)/\(source)/") }
                return own.first { $0.kind == layer.expectedKind } ?? own.first
            }
            let gap = plan.gap(of: layer.id, in: area)
            return PlannedRow(layer: layer, job: job, gap: gap)
        }
    }
}

extension PlannedArea {
    /// Its box in longitude and latitude, to 0.1 m, buffer and all; `xmax` is over 180 across the antimeridian.
    var degrees: Envelope? {
        func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
        guard let box = try? shape.extent(from: spatialReference, to: .wgs84) else { return nil }
        return Envelope(xmin: rounded(box.xmin), ymin: rounded(box.ymin), xmax: rounded(box.xmax), ymax: rounded(box.ymax))
    }
}

extension PlannedLayer {
    var titleInGroups: String { (groups + [title]).joined(separator: " / ") }

    /// The kind of job that a verdict leads to.
    var expectedKind: Job.Kind? {
        switch verdict {
        case .replica: .replica
        case .tiles: .tiles
        case .vectorTiles: .vectorTiles
        case .style: .style
        case .keptInMap, .onlineOnly, .unsupported, .excluded: nil
        }
    }
}

extension Work {
    var request: ServiceRequest? {
        switch self {
        case .replica(let work): work.request
        case .tiles(let work), .vectorTiles(let work): work.request
        case .style(let work): ServiceRequest(url: work.styleURL, parameters: [:])
        case .basemap, .package, .publish: nil
        }
    }

    var levels: [TileCount] {
        switch self {
        case .tiles(let work), .vectorTiles(let work): work.levels
        case .replica, .style, .basemap, .package, .publish: []
        }
    }
}

extension ServiceRequest {
    /// Without secrets: a planner puts none in, but a web map may have brought a URL with a token.
    var masked: ServiceRequest {
        var copy = self
        copy.url = Redaction.text(url)
        for (name, value) in parameters {
            copy.parameters[name] = Redaction.isSecret(parameter: name) ? Redaction.mark : Redaction.text(value)
        }
        return copy
    }
}
