import Basics
import Transport

/// The three kinds of service that export tiles; they differ in where their jobs answer (REST reference 6.5).
public enum ExportService: String, Sendable, Hashable, Codable {
    case map, image, vector

    func jobURL(_ serviceURL: String, jobID: String) -> String {
        let folder = self == .vector ? "/jobs/" : "/exportTiles/jobs/"
        return serviceURL + folder + FormEncoding.encode(jobID)
    }
}

/// A tile export that the server has accepted.
public struct ExportJob: Sendable, Hashable {
    public var id: String
    /// To be asked, and to be kept over a restart.
    public var url: String
}

extension ArcGISClient {
    /// Submits a tile export (REST reference 6.4, 7.4).
    /// - Parameter serviceURL: of the service; `exportTiles` is added.
    public func exportTiles(
        _ serviceURL: String, _ parameters: [String: String], kind: ExportService
    ) async throws(ArcGISError) -> ExportJob {
        let url = serviceURL + "/exportTiles"
        // Nothing that makes a job on a server goes out as GET, which anyone between may send twice; a server that takes
        // only GET says so.
        let answer: JSON
        do {
            answer = try await json(url, parameters, method: .post)
        } catch {
            guard error.code == 405 else { throw error }
            answer = try await json(url, parameters, method: .get)
        }
        let id = answer["jobId"]?.string ?? answer["jobID"]?.string ?? answer["jobId"]?.int.map(String.init)
        let status = (answer["statusUrl"] ?? answer["statusURL"])?.string.flatMap { URLText.resolve($0, against: url) }
        guard let id = id ?? status.flatMap({ $0.split(separator: "/").last.map(String.init) }), !id.isEmpty else {
            throw .unexpected("an exportTiles answer without a job", answer, url: url)
        }
        return ExportJob(id: id, url: status ?? kind.jobURL(serviceURL, jobID: id))
    }

    /// Asks an export job how far it is. Some services answer only the other form of the URL: it is tried on a 404, and
    /// `status.url` is the form that answered.
    public func exportStatus(_ jobURL: String) async throws(ArcGISError) -> ServerJobStatus {
        let status = try await jobStatus(jobURL)
        guard status.state == .gone, let other = Self.otherForm(of: jobURL) else { return status }
        let second = try await jobStatus(other)
        return second.state == .gone ? status : second
    }

    static func otherForm(of jobURL: String) -> String? {
        if let range = jobURL.ranges(of: "/exportTiles/jobs/").last {
            return jobURL.replacingCharacters(in: range, with: "/jobs/")
        }
        return jobURL.ranges(of: "/jobs/").last.map { jobURL.replacingCharacters(in: $0, with: "/exportTiles/jobs/") }
    }

    /// Asks the server to stop a job; its answer does not matter, the job's status does.
    public func cancel(_ jobURL: String) async throws(ArcGISError) {
        _ = try await exchange(URLText.join(jobURL, "cancel"), method: .post) { response, now throws(ArcGISError) in
            let answer = try Answer.document(response, of: jobURL, now: now)
            if answer["jobStatus"] == nil { _ = try Answer.read(response, of: jobURL, now: now) }
        }
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + self[range.upperBound...]
    }
}
