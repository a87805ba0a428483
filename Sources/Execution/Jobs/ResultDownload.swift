import ArcGIS
import Basics
import Formats
import Planning
import Transport

/// Brings a result file to the disk: resumable, hashed on the way, refused when it is an error in disguise.
struct ResultDownload: Sendable {
    var client: ArcGISClient
    var transport: any HTTPTransport
    var artifacts: ArtifactStore

    /// The whole file at `artifacts.partialPath`, as its receipt says. A file that an earlier process brought is not fetched again.
    func callAsFunction(
        _ job: Job, url: String, sendsCredentials: Bool, progress: @escaping @Sendable (Int, Int?) -> Void
    ) async throws(Failure) -> Receipt {
        let known = await offPool { [artifacts] () throws(Never) -> Receipt? in
            guard let receipt = artifacts.receipt(key: job.key, url: url) else { return nil }
            return artifacts.hasDownload(receipt, key: job.key) ? receipt : nil
        }
        if let known { return known }
        let response = try await response(job, url: url, sendsCredentials: sendsCredentials, progress: progress)
        try await check(response, job)
        let receipt = Receipt(url: url, sha256: response.sha256, bytes: response.size)
        do throws(SystemError) {
            try await offPool { [artifacts] () throws(SystemError) in try artifacts.write(receipt, key: job.key) }
        } catch {
            throw Failure(.state, error)
        }
        return receipt
    }

    private func response(
        _ job: Job, url: String, sendsCredentials: Bool, progress: @escaping @Sendable (Int, Int?) -> Void
    ) async throws(Failure) -> DownloadResponse {
        var request = try await request(url, sendsCredentials)
        var mayRenew = true
        while true {
            do throws(ArcGISError) {
                return try await download(request, job, progress: progress)
            } catch {
                // Some servers want a token only for the file, and old tokens are noticed here first (cases A07).
                guard mayRenew, error.isAuthentication, let next = try await renewed(request) else {
                    throw Failure(.download, error)
                }
                mayRenew = false
                request = next
            }
        }
    }

    private func request(_ url: String, _ sendsCredentials: Bool) async throws(Failure) -> HTTPRequest {
        do throws(ArcGISError) {
            return try await client.authorizedRequest(for: url, sendsCredentials: sendsCredentials)
        } catch {
            throw Failure(.download, error)
        }
    }

    private func renewed(_ request: HTTPRequest) async throws(Failure) -> HTTPRequest? {
        do throws(ArcGISError) { return try await client.renewedRequest(after: request) } catch { throw Failure(.signIn, error) }
    }

    private func download(
        _ request: HTTPRequest, _ job: Job, progress: @escaping @Sendable (Int, Int?) -> Void
    ) async throws(ArcGISError) -> DownloadResponse {
        let path = artifacts.partialPath(key: job.key)
        let outcome: DownloadOutcome
        let pace = ProgressPace()
        do throws(TransportError) {
            outcome = try await transport.download(request, to: artifacts.downloadTarget(key: job.key)) {
                if pace.isDue() { progress($0, nil) }
            }
        } catch {
            throw ArcGISError(kind: .transport(error), url: request.url)
        }
        switch outcome {
        case .file(let response):
            // A file of over a megabyte is no error page, and an empty one says nothing.
            guard (1...1 << 20).contains(response.size), let content = try? await offPool({ try Files.read(path) }) else {
                return response
            }
            if let error = ErrorBody.check(content, contentType: response.headers["Content-Type"], url: request.url) {
                drop(job)
                throw error
            }
            return response
        case .response(let response):
            if let error = ErrorBody.check(response.body, contentType: response.headers["Content-Type"], url: request.url) {
                throw error.withStatus(response.status)
            }
            throw ArcGISError(kind: .httpStatus(title: nil), url: request.url, httpStatus: response.status)
        }
    }

    private func check(_ response: DownloadResponse, _ job: Job) async throws(Failure) {
        let path = artifacts.partialPath(key: job.key)
        let kind: ContainerKind
        do throws(FormatError) { kind = try await offPool { () throws(FormatError) in try ContainerKind.sniff(path) } } catch {
            throw Failure(.download, error)
        }
        let wanted: ContainerKind = job.kind == .replica ? .sqlite : .zip
        guard kind == wanted else {
            drop(job)
            throw Failure(
                phase: .verify, kind: .verification, message: "expected \(wanted.text), found \(kind.text)",
                details: ["\(response.size) bytes"])
        }
    }

    /// A file that is not what it should be must not be continued by the next try.
    private func drop(_ job: Job) { try? artifacts.dropPartial(key: job.key) }
}

extension ArcGISError {
    fileprivate func withStatus(_ status: Int) -> ArcGISError {
        var copy = self
        copy.httpStatus = copy.httpStatus ?? status
        return copy
    }
}

extension ContainerKind {
    fileprivate var text: String {
        switch self {
        case .sqlite: "a SQLite database"
        case .zip: "a zip"
        case .json: "JSON text"
        case .html: "an HTML page"
        case .gzip: "a gzip file"
        case .empty: "an empty file"
        case .unknown(let bytes): "a file that begins with \(bytes.map { String($0, radix: 16) }.joined(separator: " "))"
        }
    }
}
