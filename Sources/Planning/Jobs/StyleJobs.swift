import ArcGIS
import Basics

/// The custom style of a vector tile layer: the same for every area, so one artifact serves them all.
enum StyleJobs {
    static func job(
        _ source: MapSource, _ style: VectorStyle, of info: VectorTileServiceInfo, area: PlannedArea, context: PlanContext
    ) -> Job {
        Job(
            id: "\(area.id)/\(source.slug)/style", area: area.id, layers: source.layers, reason: context.reason,
            key: JobKey.make(.style, style.url, [:], style.document),
            work: .style(StyleWork(styleURL: style.url, serviceURL: info.url)))
    }
}
