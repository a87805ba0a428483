import ArcGIS
import Planning

extension Wording {
    /// Services without asynchronous replicas: what to expect of them and what to do (cases B01).
    static func synchronousReplicas(of plan: Plan) -> [String] {
        let services = plan.jobs.compactMap { job in
            if case .replica(let work) = job.work, work.isSynchronous { work.serviceURL } else { nil }
        }
        let deadline = Quantity.duration(Double(plan.limits.jobDeadlineMilliseconds) / 1000)
        return services.uniqued.map { url in
            "\(ServiceAddress(url)?.serviceName ?? url) makes each replica while the request waits, not as a job of its own (it does "
                + "not say supportsAsync). Until then nothing is heard of it, so a gateway or the server itself may cut the request "
                + "after a minute or a few (502, 504, timed out); we wait up to limits.jobDeadline (\(deadline)). Many rows and "
                + "attachments are what takes time: if it fails, make the areas smaller, say `attachments: false`, narrow the rows "
                + "by `where`, or ask the service's owner to let it make replicas asynchronously."
        }
    }
}
