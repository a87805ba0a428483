import Planning
import Testing

@testable import Reporting

@Suite struct NextStepTests {
    @Test(
        "Each kind of failure leads to its own advice",
        arguments: [
            (Failure(phase: .submit, kind: .denied, code: 498, message: "Invalid token."), "renew"),
            (Failure(phase: .metadata, kind: .denied, code: 499, message: "Token Required"), "portal.auth"),
            (
                Failure(
                    phase: .signIn, kind: .denied,
                    message:
                        "credential key: CREDENTIALS_DIRECTORY is not set, as it is by systemd for a unit with LoadCredential="),
                "CREDENTIALS_DIRECTORY=FOLDER"
            ),
            (Failure(phase: .metadata, kind: .denied, code: 403, message: "You do not have permissions"), "share it"),
            (Failure(phase: .submit, kind: .denied, code: 403, message: "You do not have permissions"), "Export Tiles or Sync"),
            (Failure(phase: .metadata, kind: .permanent, code: 404, message: "Not Found"), "not there"),
            (Failure(phase: .download, kind: .permanent, code: 404, message: "Not Found"), "asked for anew"),
            (Failure(phase: .submit, kind: .transient, code: 429, message: "Too Many Requests"), "limits.jobsPerHost"),
            (Failure(phase: .poll, kind: .transient, code: 503, message: "Service Unavailable"), "overloaded or down"),
            (
                Failure(
                    phase: .plan, kind: .permanent, message: "the area needs 85 tiles, the service exports at most 84 at once"),
                "fewer levels"
            ),
            (Failure(phase: .submit, kind: .permanent, code: 400, message: "maxExportTilesCount exceeded"), "fewer levels"),
            (
                Failure(
                    phase: .plan, kind: .permanent, message: "the map's author has switched off offline use (OfflineDisabled)"),
                "owner"
            ),
            (Failure(phase: .state, kind: .transient, message: "another run owns this output"), "other run has ended"),
            (
                Failure(
                    phase: .metadata, kind: .transient, message: "Operation timed out", details: ["https://tls.html-proxy.org/x"]),
                "inactivityTimeout"
            ),
            (
                Failure(phase: .plan, kind: .permanent, message: "no layer of the map matches title Hydrnt"),
                "offline-batch inspect"
            ),
            (
                Failure(phase: .plan, kind: .permanent, message: "nothing of the map can be taken offline"),
                "`offline-batch inspect MAP` gives the reason"
            ),
            (
                Failure(phase: .plan, kind: .permanent, message: "the document is not a web map; it has no members"),
                "item id of a web map"
            ),
            (
                Failure(phase: .plan, kind: .permanent, message: "unknown spatial reference {\"wkid\":999999}"),
                "exclude the layer"
            ),
            (Failure(phase: .download, kind: .storage, message: "write: No space left on device"), "df -h"),
            (Failure(phase: .state, kind: .storage, message: "open: Read-only file system"), "writable"),
            (Failure(phase: .state, kind: .storage, message: "database disk image is malformed"), "state.db"),
            (Failure(phase: .poll, kind: .deadline, message: "2 h"), "limits.jobDeadline"),
            (Failure(phase: .poll, kind: .deadline, message: "2 h"), "`attachments: false`"),
            (busy("ExportAttachments"), "The server was still busy with attachments: leave them out"),
            (busy("InProgress"), "The server did not finish in the time allowed"),
            (refused("where clause of the manifest: PROXY = 'Timed out"), "`where` clause of this layer in the manifest"),
            (refused("filter of the web map: HTML = 1"), "filter in the web map"),
            (
                Failure(phase: .verify, kind: .verification, message: "Hydrant: 300 rows in the replica, 310 at the service"),
                "edited during the export"
            ),
            (Failure(phase: .verify, kind: .verification, message: "level 14 has no tile"), "cache is complete"),
            (Failure(phase: .verify, kind: .verification, message: "no SQLite file"), "fetched anew"),
            (Failure(phase: .download, kind: .verification, message: "HTML came instead of a .tpkx"), "web page"),
            (Failure(phase: .metadata, kind: .transient, message: "Could not resolve host: gis.exmaple.org"), "DNS"),
            (
                Failure(phase: .metadata, kind: .permanent, message: "SSL certificate problem: self-signed certificate"),
                "update-ca-certificates"
            ),
            (
                Failure(phase: .metadata, kind: .transient, message: "Failed to connect to h port 443: Connection refused"),
                "firewall"
            ),
            (Failure(phase: .submit, kind: .permanent, code: 400, message: "'where' clause is invalid"), "`where`"),
            (
                Failure(
                    phase: .signIn, kind: .denied, code: 400, message: "Unable to generate token.",
                    details: ["Invalid username or password."]), "user name"
            ),
            (
                Failure(phase: .metadata, kind: .permanent, message: "it is JSON, but no web map: it has only a"),
                "item id of a web map"
            ),
            (Failure(phase: .poll, kind: .serverJob, message: "Error performing query operation."), "server's own job failed"),
            (Failure(phase: .poll, kind: .serverJob, message: "Failed to export level 23."), "levels that are less deep"),
            (Failure(phase: .submit, kind: .upstream, message: ""), "waits for"),
            (Failure(phase: .poll, kind: .cancelled, message: ""), "same command"),
            (Failure(phase: .poll, kind: .internal, message: ""), "bug"),
        ] as [(Failure, String)])
    func advice(failure: Failure, expected: String) {
        #expect(Wording.nextStep(for: failure).contains(expected))
    }

    private static func busy(_ word: String) -> Failure {
        var failure = Failure(phase: .poll, kind: .deadline, message: "2 h")
        failure.lastStatus = ServerWord(word: word, seconds: 60)
        return failure
    }

    private static func refused(_ filter: String) -> Failure {
        Failure(phase: .plan, kind: .permanent, code: 400, message: "Cannot perform query.", details: [filter])
    }

    @Test("The code is said once, also when the words begin with it")
    func code() {
        #expect(
            Wording.summary(of: Failure(phase: .poll, kind: .transient, code: 503, message: "503 Service Unavailable"))
                == "waiting for the server: 503 Service Unavailable")
        #expect(
            Wording.summary(of: Failure(phase: .submit, kind: .denied, code: 498, message: "Invalid token."))
                == "asking for the export: 498 Invalid token.")
    }
}
