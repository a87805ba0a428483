import ArcGIS
import Basics

/// The custom style of a vector tile layer: the same for every area, so one artifact serves them all.
enum StyleJobs {
    static func job(
        _ source: MapSource, _ style: VectorStyle, of info: VectorTileServiceInfo, area: PlannedArea, context: PlanContext
    ) -> Job {
        // The document is read anyway; the item tells of its sprites and fonts.
        let stamp = context.stamp(ofItems: source.styleItems)
        return Job(
            id: "\(area.id)/\(source.slug)/style", area: area.id, layers: source.layers, reason: context.reason,
            key: JobKey.make(.style, style.url, [:], ["document": style.document, "stamp": stamp.json]),
            work: .style(StyleWork(styleURL: style.url, serviceURL: info.url)), stamp: stamp,
            refresh: source.override.refresh ?? context.tileRefresh)
    }
}
