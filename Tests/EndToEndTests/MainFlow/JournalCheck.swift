import Basics
import Testing

/// What the portal was asked, compared with what the plan says will be asked.
struct JournalCheck {
    var requests: [PortalProcess.Request]
    /// The journal as it stands in the file.
    var text: String

    /// - The form of each export is the plan's, parameter for parameter, and `f=json`; nothing else is submitted.
    /// - JSON is asked for by `f=json`; only files and binary resources are fetched without.
    /// - No URL carries a token.
    func check(plan jobs: [JSON]) {
        let submissions = requests.filter { $0.path.hasSuffix("/createReplica") || $0.path.hasSuffix("/exportTiles") }
        let planned = jobs.compactMap { job in job["kind"] == "style" ? nil : job["request"]?.object.map { _ in job["request"] } }
        #expect(submissions.count == planned.count)
        for request in planned {
            let url = request?["url"]?.string ?? ""
            let sent = submissions.filter { url.hasSuffix($0.path) }
            #expect(sent.count == 1, "\(url)")
            var form = (request?["parameters"]?.object?.members ?? []).reduce(into: [String: String]()) {
                $0[$1.key] = $1.value.string
            }
            form["f"] = "json"
            #expect(sent.first?.parameters == form, "\(url)")
            #expect(sent.first?.method == "POST")
        }
        for request in requests where request.parameters["f"] != "json" {
            #expect(Self.isFile(request.path), "no f=json: \(request.method) \(request.path)")
        }
        #expect(!requests.contains { $0.method == "GET" && $0.parameters["token"] != nil })
        #expect(requests.allSatisfy { $0.status == 200 }, "\(requests.filter { $0.status != 200 })")
    }

    private static func isFile(_ path: String) -> Bool {
        let files = [".pbf", ".png", ".geodatabase", ".tpkx", ".vtpk"]
        // Sprite lists are files beside their pictures.
        return files.contains(where: path.hasSuffix) || (path.contains("/sprites/") && path.hasSuffix(".json"))
    }
}
