import Basics
import Transport

/// Replicas and their jobs (REST reference 4).
extension ArcGISClient {
    /// - Parameter url: of the operation, `…/FeatureServer/createReplica`.
    public func createReplica(_ url: String, _ parameters: [String: String]) async throws(ArcGISError) -> ReplicaSubmission {
        try await submitReplica(url, parameters).submission
    }

    /// `createReplica` with all that its answer says about the replica.
    /// - Parameter silence: how long the server may say nothing. One that makes the replica within the request works all that time.
    public func submitReplica(
        _ url: String, _ parameters: [String: String], silence: Duration? = nil
    ) async throws(ArcGISError) -> ReplicaAnswer {
        var client = self
        if let silence { client.timeouts.inactivity = max(silence, timeouts.inactivity) }
        return try ReplicaAnswer(try await client.json(url, parameters, method: .post), url: url)
    }

    /// Asks a job how far it is. A job that failed, or that the server has forgotten, is an answer and not an error.
    public func replicaStatus(_ statusURL: String) async throws(ArcGISError) -> ServerJobStatus { try await jobStatus(statusURL) }

    func jobStatus(_ url: String) async throws(ArcGISError) -> ServerJobStatus {
        do {
            return try await exchange(url) { response, now throws(ArcGISError) in
                let answer = try Answer.document(response, of: url, now: now)
                if let status = ServerJobStatus(url: url, answer: answer), !Self.isPlainError(answer) { return status }
                _ = try Answer.read(response, of: url, now: now)
                throw .unexpected("a job without a status", answer, url: url)
            }
        } catch {
            guard error.meansJobIsGone else { throw error }
            return .gone(url: url, error: error)
        }
    }

    /// `{"status":"error","messages":[…],"code":499}` is an error of the request and no job (REST reference 2.1).
    private static func isPlainError(_ answer: JSON) -> Bool {
        answer["jobStatus"] == nil && answer["status"]?.string?.lowercased() == "error" && answer["code"] != nil
    }

    public func unregisterReplica(_ serviceURL: String, id: String) async throws(ArcGISError) {
        _ = try await json(serviceURL + "/unRegisterReplica", ["replicaID": id], method: .post)
    }

    /// The replicas that the service shows to this account (REST reference 4.7), not always all of them, with their names where it tells them.
    public func replicas(_ serviceURL: String) async throws(ArcGISError) -> [(id: String, name: String?)] {
        let url = serviceURL + "/replicas"
        let answer = try await json(url)
        guard let items = answer.array ?? answer["replicas"]?.array else {
            throw .unexpected("an answer that is no list of replicas", answer, url: url)
        }
        return items.compactMap { item in
            (item["replicaID"] ?? item["replicaId"])?.string.map { ($0, item["replicaName"]?.string) }
        }
    }

    /// Whether the service knows one replica, listed or not.
    public func knowsReplica(_ serviceURL: String, id: String) async throws(ArcGISError) -> Bool {
        do {
            let bare = id.filter { $0 != "{" && $0 != "}" }
            _ = try await json("\(serviceURL)/replicas/\(bare)")
            return true
        } catch {
            guard error.meansReplicaIsGone else { throw error }
            return false
        }
    }
}

extension ArcGISError {
    /// The answer to a request that names a replica which the service does not know: 400 as for any wrong parameter, or 404.
    public var meansReplicaIsGone: Bool { isMissing || code == 400 }

    /// 404, or the words that services use for a job that they no longer know: there is no code for it.
    var meansJobIsGone: Bool {
        if code == 404 || code == 410 { return true }
        guard case .service(let code, _, let message, let details) = kind, ![401, 403, 498, 499].contains(code) else {
            return false
        }
        // The URL came from the service itself; some take the job for a part of the address.
        if code == 400 && message.lowercased() == "invalid url" { return true }
        return ([message] + details).contains { text in
            let text = text.lowercased()
            return text.contains("job")
                && ["not found", "does not exist", "invalid job", "no such job"].contains { text.contains($0) }
        }
    }
}
