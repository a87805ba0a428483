import Basics
import Geography

/// Requests that are too large to be taken. ArcGIS Server's web server, Tomcat, takes forms of 2 MiB unless it is set up otherwise
/// (`maxPostSize` in its documentation), and what is larger it may take for a form without parameters: better said beforehand.
enum RequestSize {
    static let limit = 2 << 20

    static func problems(_ jobs: [Job]) -> [PlanProblem] {
        jobs.compactMap { job in
            guard let request = job.request, let size = request.formSize, size > limit else { return nil }
            let megabytes = (Double(size) / Double(1 << 20) * 10).rounded() / 10
            return PlanProblem(
                area: job.area, layer: job.layers.first,
                failure: .refusal(
                    "the area's polygon makes a request of \(megabytes) MiB; servers take 2 MiB", [job.id, request.url]))
        }
    }
}

extension ServiceRequest {
    /// Bytes of the encoded form; nil when it is far from large.
    fileprivate var formSize: Int? {
        let bare = parameters.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        return bare * 3 > RequestSize.limit ? FormEncoding.encode(parameters).utf8.count : nil
    }
}
