import Basics
import TestSupport
import Testing
import Transport

@testable import ArcGIS

@Suite("Server jobs")
struct JobTests {
    typealias State = ServerJobStatus.State

    /// REST reference 4.4.
    @Test(
        "status words of all families",
        arguments: [
            ("Pending", .running), ("InProgress", .running), ("ExportAttachments", .running), ("ProvisioningReplica", .running),
            ("Completed", .succeeded), ("COMPLETED", .succeeded), ("CompletedWithErrors", .succeededWithErrors),
            ("Failed", .failed),
            ("Failed ImportChanges", .failed), ("SomethingNew", .unknown), ("esriJobNew", .running),
            ("esriJobSubmitted", .running),
            ("esriJobWaiting", .running), ("esriJobExecuting", .running), ("esriJobCancelling", .running),
            ("esriJobDeleting", .running),
            ("esriJobSucceeded", .succeeded), ("esriJobFailed", .failed), ("esriJobTimedOut", .failed),
            ("esriJobCancelled", .cancelled),
            ("esriJobPartialSucceeded", .succeededWithErrors), ("esriJobStatusCancelled", .cancelled),
            ("esriJobFailed ", .failed),
            ("esriJobDeleted", .failed), ("processing", .running), ("partial", .running), ("error", .failed), ("", .unknown),
        ] as [(String, State)])
    func words(_ word: String, _ state: State) { #expect(ServerJobStatus.state(of: word) == state) }

    @Test("recorded job answers", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func recorded() throws {
        func status(_ file: String) throws -> ServerJobStatus? {
            ServerJobStatus(
                url: "https://h/jobs/1", answer: try JSON.parse(Files.read(SharedFiles.path("recorded/replicas/" + file))))
        }
        #expect(try status("gp-job-submitted.json")?.state == .running)
        #expect(try status("raster-job-submitted.json")?.state == .running)
        #expect(try status("doc-exporttiles-vector-status.json")?.state == .running)
        let singular = try #require(try status("gp-job-failed-message-singular.json"))
        #expect(singular.state == .failed && singular.errorMessage == "Failed")
        let odd = try #require(try status("gp-job-error-status.json"))
        #expect(odd.state == .failed && odd.errorMessage == "error")
        #expect(try status("doc-exporttiles-vector-job-full.json")?.state == .succeeded)
        let completed = try #require(try status("doc-async-completed-resulturl.json"))
        #expect(completed.state == .succeeded)
        #expect(completed.resultURL?.hasSuffix("testservice%20_MapServer/j9563cb9e-8cf4-4c99-945d-09e43d408ac7.json") == true)
        #expect(try status("gp-job-succeeded-results.json")?.word == "esriJobSucceeded")
        #expect(try status("doc-async-statusurl.json") == nil)
    }

    @Test("why a job failed")
    func reasons() throws {
        func reason(_ text: String) throws -> String? { ServerJobStatus(url: "u", answer: try JSON.parse(text))?.errorMessage }
        #expect(
            try reason(
                #"{"jobStatus":"esriJobFailed","messages":[{"type":"esriJobMessageTypeInformative","description":"Submitted."},{"type":"esriJobMessageTypeError","description":"Too many tiles."},{"type":"esriJobMessageTypeInformative","description":"Failed."}]}"#
            ) == "Too many tiles.")
        #expect(
            try reason(#"{"status":"Failed","error":{"code":500,"description":"Invalid Sync model type."}}"#)
                == "Invalid Sync model type.")
        #expect(try reason(#"{"status":"failed","statusMessage":"No space"}"#) == "No space")
        #expect(try reason(#"{"jobStatus":"esriJobTimedOut","messages":[{"description":"Last words."}]}"#) == "Last words.")
        #expect(try reason(#"{"jobStatus":"esriJobExecuting","messages":[{"description":"50 %"}]}"#) == "")
    }

    @Test(
        "failures that the same request will meet again",
        arguments: [
            (#"{"status":"Failed","error":{"code":400,"message":"Bad"}}"#, true),
            (#"{"status":"Failed","error":{"code":429}}"#, false), (#"{"status":"Failed","error":{"code":500}}"#, false),
            (#"{"jobStatus":"esriJobFailed","messages":[]}"#, false),
            (
                #"{"jobStatus":"esriJobFailed","messages":[{"type":"esriJobMessageTypeInformative","description":"Start"},"#
                    + #"{"type":"esriJobMessageTypeError","description":"ERROR 001564: Requested tile count(90) exceeds 9."}]}"#,
                true
            ),
            (#"{"jobStatus":"esriJobFailed","messages":[{"description":"ERROR 999999: Error executing function."}]}"#, false),
            (#"{"jobStatus":"esriJobExecuting","messages":[{"description":"ERROR 001564"}]}"#, false),
        ])
    func refusals(_ answer: String, _ isRefusal: Bool) throws {
        #expect(ServerJobStatus(url: "u", answer: try JSON.parse(answer))?.isRefusal == isRefusal)
    }

    /// Cases B02.
    @Test(
        "createReplica under all its names",
        arguments: [
            (#"{"statusUrl":"https://h/jobs/1"}"#, .job(statusURL: "https://h/jobs/1")),
            (
                #"{"statusURL":" https://h/s/FeatureServer/jobs/a b/status "}"#,
                .job(statusURL: "https://h/s/FeatureServer/jobs/a%20b/status")
            ),
            (#"{"statusUrl":"/s/FeatureServer/jobs/2"}"#, .job(statusURL: "https://h/s/FeatureServer/jobs/2")),
            (
                #"{"transportType":"esriTransportTypeUrl","responseUrl":"https://h/x.geodatabase"}"#,
                .file(url: "https://h/x.geodatabase")
            ),
            (#"{"transportType":"esriTransportTypeURL","URL":"https://h/x.json"}"#, .file(url: "https://h/x.json")),
            (#"{"resultUrl":"https://h/y","statusUrl":""}"#, .file(url: "https://h/y")),
        ] as [(String, ReplicaSubmission)])
    func submissions(_ answer: String, _ expected: ReplicaSubmission) async throws {
        let (client, journal) = client { _ in .json(answer) }
        #expect(try await client.createReplica("https://h/s/FeatureServer/createReplica", ["layers": "0"]) == expected)
        #expect(await journal.requests[0].method == .post)
    }

    @Test("embedded data, replica ids and answers without anything")
    func otherSubmissions() async throws {
        let embedded =
            #"{"replicaName":"n_0","replicaID":"R","transportType":"esriTransportTypeEmbedded","layers":[{"id":0,"features":[]}]}"#
        let answer = try await client { _ in .json(embedded) }.client.submitReplica("https://h/createReplica", [:])
        #expect(
            answer.submission == .embedded(try JSON.parse(embedded)) && answer.replicaID == "R" && answer.replicaName == "n_0")
        // ArcGIS Online of a copy that is not registered: there is nothing to unregister.
        let copy = #"{"replicaID":"","responseUrl":"http://services1.arcgis.com/o/replicafiles/9.zip","replicaName":"Demo"}"#
        let unregistered = try await client { _ in .json(copy) }.client.submitReplica("https://h/createReplica", [:])
        #expect(unregistered.replicaID == nil && unregistered.replicaName == "Demo")
        #expect(ServerJobStatus(url: "u", answer: ["status": "Completed", "replicaID": ""])?.replicaID == nil)
        let (nothing, _) = client { _ in .json(#"{"transportType":"esriTransportTypeUrl","replicaName":"n"}"#) }
        let error = await failure { () throws(ArcGISError) in try await nothing.createReplica("https://h/createReplica", [:]) }
        #expect(error?.message.contains("transportType, replicaName") == true)
    }

    @Test("asking a job: failures and forgotten jobs are answers, other errors are errors")
    func asking() async throws {
        func ask(_ text: String, status: Int = 200) async throws(ArcGISError) -> ServerJobStatus {
            try await client { _ in .json(text, status: status) }.client.replicaStatus("https://h/FeatureServer/jobs/1")
        }
        let failed = try await ask(#"{"status":"Failed","error":{"code":400,"message":"Bad","details":["Layer 4"]}}"#)
        #expect(failed.state == .failed && failed.errorDetails == ["Layer 4"] && failed.errorCode == 400)
        #expect(try await ask("", status: 404).state == .gone)
        #expect(try await ask(#"{"error":{"code":404,"message":"Not found"}}"#).state == .gone)
        #expect(
            try await ask(
                #"{"error":{"code":400,"message":"Invalid or missing input parameters.","details":["Job not found."]}}"#
            ).state == .gone)
        #expect(
            await failure { () throws(ArcGISError) in try await ask(#"{"error":{"code":500,"message":"busy"}}"#) }?.isTransient
                == true)
        #expect(
            await failure { () throws(ArcGISError) in
                try await ask(#"{"status":"error","messages":["Authorization failed"],"code":499}"#)
            }?.code == 499)
        #expect(await failure { () throws(ArcGISError) in try await ask(#"{"a":1}"#) }?.message.contains("{a}") == true)
    }

    @Test("where exports answer, and the other form on a 404")
    func exportURLs() async throws {
        let service = "https://h/arcgis/rest/services/B/MapServer"
        let (client, journal) = client { request in
            if request.path.hasSuffix("/exportTiles") { return .json(#"{"jobId":"j1","jobStatus":"esriJobSubmitted"}"#) }
            if request.path == service + "/jobs/j1" { return .json(#"{"jobId":"j1","jobStatus":"esriJobExecuting"}"#) }
            return .json(#"{"error":{"code":404,"message":"Not found"}}"#)
        }
        let job = try await client.exportTiles(service, ["levels": "0-3"], kind: .map)
        #expect(job == ExportJob(id: "j1", url: service + "/exportTiles/jobs/j1"))
        #expect(try await client.exportTiles(service, [:], kind: .vector).url == service + "/jobs/j1")
        #expect(await journal.requests[0].method == .post)
        let status = try await client.exportStatus(job.url)
        #expect(status.state == .running && status.url == service + "/jobs/j1")
        #expect(try await client.exportStatus(service + "/exportTiles/jobs/j2").state == .gone)
    }

    @Test("ArcGIS Online's vector answer of a submission")
    func onlineSubmission() async throws {
        let (client, _) = client { _ in
            .json(#"{"id":"x","name":"n","url":null,"status":"success","itemId":"i","jobId":"42","message":"success"}"#)
        }
        #expect(
            try await client.exportTiles("https://h/A/VectorTileServer", [:], kind: .vector).url
                == "https://h/A/VectorTileServer/jobs/42")
    }
}

@Suite("Where results are")
struct ResultDiscoveryTests {
    private static let job = "https://h/arcgis/rest/services/B/MapServer/exportTiles/jobs/j1"

    private func find(_ status: String, _ answers: [String: String] = [:]) async throws(ArcGISError) -> ResultLocation {
        let (client, _) = client { request in
            answers[request.path].map { .json($0) } ?? .json(#"{"error":{"code":404,"message":"Not found"}}"#)
        }
        let parsed = (try? JSON.parse(status)) ?? .null
        return try await client.exportResult(Self.job, parsed)
    }

    @Test("Server: parameter, directory, sub-folder, file")
    func server() async throws {
        let status = #"{"jobStatus":"esriJobSucceeded","results":{"out_service_url":{"paramUrl":" results/out_service_url"}}}"#
        let parameter = Self.job + "/results/out_service_url"
        let directory = "https://h/arcgis/rest/directories/arcgisoutput/B_MapServer/j1"
        let found = ResultLocation(url: directory + "/Layers.tpkx", sendsCredentials: true)
        #expect(
            try await find(
                status,
                [
                    parameter: #"{"paramName":"out_service_url","dataType":"GPString","value":"\#(directory)"}"#,
                    directory:
                        #"{"folders":[],"files":[{"name":"log.txt","url":"\#(directory)/log.txt"},{"name":"Layers.tpkx","url":"\#(directory)/Layers.tpkx"}]}"#,
                ]) == found)
        // Plain names, one folder down.
        #expect(
            try await find(
                status,
                [
                    parameter: #"{"value":"\#(directory)"}"#, directory: #"{"folders":["v1"],"files":[]}"#,
                    directory + "/v1": #"{"files":["My Map.vtpk"]}"#,
                ]
            ).url == directory + "/v1/My%20Map.vtpk")
        // The value is the package, or an object.
        #expect(try await find(status, [parameter: #"{"value":"\#(directory)/Layers.tpkx"}"#]) == found)
        #expect(
            try await find(status, [parameter: #"{"value":{"url":"\#(directory)/Layers.tpk"}}"#]).url == directory + "/Layers.tpk"
        )
        let empty = await failure { () throws(ArcGISError) in
            try await find(status, [parameter: #"{"value":"\#(directory)"}"#, directory: #"{"files":[]}"#])
        }
        #expect(empty?.message.contains("without a package") == true)
    }

    @Test("ArcGIS Online: signed storage, item, plain URL")
    func online() async throws {
        let signed = "https://store.s3.amazonaws.com/export/a.vtpk?X-Amz-Signature=1"
        for output in [#"["\#(signed)"]"#, #""\#(signed)""#] {
            #expect(
                try await find(#"{"jobStatus":"esriJobSucceeded","output":{"outputUrl":\#(output),"itemId":null}}"#)
                    == ResultLocation(url: signed, sendsCredentials: false))
        }
        #expect(
            try await find(#"{"output":{"outputUrl":[],"itemId":"abc"}}"#)
                == ResultLocation(
                    url: "https://gis.example.org/portal/sharing/rest/content/items/abc/data", sendsCredentials: true))
        #expect(try await find(#"{"output":{"outputUrl":"https://h/files/a.tpkx"}}"#).sendsCredentials)
        let nothing = await failure { () throws(ArcGISError) in try await find(#"{"jobStatus":"esriJobSucceeded","jobId":"j1"}"#)
        }
        #expect(nothing?.message.contains("{jobStatus, jobId}") == true)
    }

    @Test("the recorded finished job", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func recorded() async throws {
        let text = String(
            decoding: try Files.read(SharedFiles.path("recorded/replicas/doc-exporttiles-vector-job-estimate-fields.json")),
            as: UTF8.self)
        let location = try await find(text)
        #expect(
            location.url.hasPrefix("https://lws-job-results-prd0.s3.amazonaws.com/export/8d73d367df5ecc9d.vtpk?response-content"))
        #expect(!location.sendsCredentials)
    }
}
