import Basics
import Manifest

/// The reference base map: one file for all areas, which its content names.
enum BasemapJobs {
    static let slug = "basemap"

    static func job(_ basemap: ReferenceBasemap, area: PlannedArea, context: PlanContext) -> Job {
        // The place of the file decides none of its bytes.
        let key = JobKey.make(
            .basemap, basemap.sha256, [:], ["extension": .string(basemap.fileExtension), "repacked": .bool(basemap.isRepacked)])
        return Job(
            id: "\(area.id)/\(slug)/basemap", area: area.id,
            layers: [LayerLabel(id: basemap.layer.id, title: basemap.layer.title)], reason: context.reason,
            key: key, work: .basemap(basemap), stamp: SourceStamp(content: basemap.sha256))
    }
}
