/// The fault matrix. One area: a replica, a package of tiles, one of vector tiles, a style.
extension FaultCell {
    static let all = answers + downloads + jobs + services + machines

    private static let users = """
        users: [{name: gis, password: "night-and-day-4711", role: org_admin}]
        secured: {services: ["Water_Network/*"]}
        """

    /// What the cells with a sign-in write to `users.yaml`.
    static var usersFile: String { users }

    private static let signIn = "portal: { auth: { user: { name: gis, password: { env: PORTAL_PASSWORD } } } }"

    private static let answers = [
        FaultCell(
            kind: .answer, name: "503 with Retry-After, once",
            rules: "- {path: '*/createReplica', nth: 1, status: 503, retryAfter: 1}", isQuick: true,
            expected: .healed(submissions: 4)),
        FaultCell(
            kind: .answer, name: "429 with Retry-After, twice",
            rules: "- {path: '*/exportTiles', first: 2, status: 429, retryAfter: 1}", expected: .healed(submissions: 5)),
        FaultCell(
            kind: .answer, name: "JSON error 500 on HTTP 200, once",
            rules: "- {path: '*/createReplica', nth: 1, jsonError: {code: 500, message: Error performing operation.}}",
            expected: .healed(submissions: 4)),
        FaultCell(
            kind: .answer, name: "HTML page on HTTP 200, once",
            rules: "- {path: '*/exportTiles', nth: 1, html: '<html><title>Bad gateway</title></html>'}",
            expected: .healed(submissions: 4)),
        FaultCell(
            kind: .answer, name: "connection cut before the answer, once",
            rules: "- {path: '*/createReplica', nth: 1, cutAfter: 0}", expected: .healed(submissions: 4)),
        FaultCell(
            kind: .answer, name: "503 for ever", rules: "- {path: '*/createReplica', status: 503}",
            extra: "limits: { attempts: 3 }",
            expected: .failed(69, submissions: 5, downloads: 2, again: 1)),
        FaultCell(
            kind: .answer, name: "JSON error 400, for good",
            rules: "- {path: '*/createReplica', jsonError: {code: 400, message: Invalid geometry.}}", isQuick: true,
            expected: .failed(1, submissions: 3, downloads: 2, again: 1)),
        FaultCell(
            kind: .answer, name: "JSON error 403, for good",
            rules: "- {path: '*/createReplica', jsonError: {code: 403, message: You do not have permissions.}}",
            expected: .failed(77, submissions: 3, downloads: 2, again: 1)),
        FaultCell(
            kind: .answer, name: "polls meet 503, HTML and JSON error 500",
            rules: """
                - {path: '*/FeatureServer/jobs/*', nth: 1, status: 503, retryAfter: 1}
                - {path: '*/FeatureServer/jobs/*', nth: 2, html: '<html><title>Gateway</title></html>'}
                - {path: '*/exportTiles/jobs/*', nth: 1, jsonError: {code: 500, message: Oops.}}
                """, isQuick: true, expected: .healed()),
        FaultCell(
            kind: .answer, name: "a poll's connection is cut", rules: "- {path: '*/jobs/*', nth: [1, 3], cutAfter: 0}",
            expected: .healed()),
        FaultCell(
            kind: .answer, name: "498 in the middle", rules: "- {path: '*/FeatureServer/jobs/*', nth: 2, tokenExpiry: true}",
            flags: ["--job-seconds", "1"], extra: signIn, expected: .healed()),
    ]

    private static let downloads = [
        FaultCell(
            kind: .download, name: "cut in the middle, once", rules: "- {path: '*.geodatabase', nth: 1, cutAfter: 40000}",
            isQuick: true, expected: .healed(downloads: 4)),
        FaultCell(
            kind: .download, name: "reset before the first byte, once", rules: "- {path: '*.vtpk', nth: 1, cutAfter: 0}",
            expected: .healed(downloads: 4)),
        FaultCell(
            kind: .download, name: "wrong length, once", rules: "- {path: '*.geodatabase', nth: 1, wrongLength: 9000000}",
            expected: .healed(downloads: 4)),
        FaultCell(
            kind: .download, name: "JSON error in place of the file, once",
            rules: "- {path: '*.tpkx', nth: 1, replaceFile: json}", expected: .healed(downloads: 4)),
        FaultCell(
            kind: .download, name: "HTML page in place of the file, once",
            rules: "- {path: '*.tpkx', nth: 1, replaceFile: html}", expected: .healed(downloads: 4)),
        FaultCell(
            kind: .download, name: "empty file, once", rules: "- {path: '*.vtpk', nth: 1, replaceFile: empty}",
            expected: .healed(submissions: 4, downloads: 4)),
        FaultCell(
            kind: .download, name: "503 with Retry-After, once",
            rules: "- {path: '*.geodatabase', nth: 1, status: 503, retryAfter: 1}", expected: .healed(downloads: 4)),
        FaultCell(
            kind: .download, name: "no answer within `inactivityTimeout`, once",
            rules: "- {path: '*.tpkx', nth: 1, delay: 90}", extra: "limits: { inactivityTimeout: 1 s }", expected: .healed()),
        FaultCell(
            kind: .download, name: "slow but moving, over the deadline of the job",
            rules: "- {path: '*.geodatabase', bytesPerSecond: 30000}",
            extra: "limits: { inactivityTimeout: 3 s, jobDeadline: 8 s }", isQuick: true, expected: .healed()),
        FaultCell(
            kind: .download, name: "HTML page in place of the file, for ever",
            rules: "- {path: '*.tpkx', replaceFile: html}", extra: "limits: { attempts: 2 }",
            expected: .failed(69, submissions: 3, downloads: 4, again: 1)),
        FaultCell(
            kind: .download, name: "damaged file of the right kind, for ever", rules: "- {path: '*.tpkx', truncateFile: 20000}",
            isQuick: true, expected: .failed(1, submissions: 4, downloads: 4, again: 1)),
        FaultCell(
            kind: .download, name: "other bytes of the right length, for ever",
            rules: "- {path: '*.geodatabase', replaceFile: garbage}",
            expected: .failed(1, submissions: 4, downloads: 4, again: 1)),
    ]

    private static let jobs = [
        FaultCell(
            kind: .job, name: "fails once", rules: "- {path: '*/World_Street_Map/*/exportTiles', nth: 1, job: fails}",
            expected: .healed(submissions: 4)),
        FaultCell(
            kind: .job, name: "fails again and again", rules: "- {path: '*/World_Street_Map/*/exportTiles', job: fails}",
            isQuick: true, expected: .failed(1, submissions: 4, downloads: 2, again: 1)),
        FaultCell(
            kind: .job, name: "never ends", rules: "- {path: '*/World_Street_Map/*/exportTiles', job: sticks}",
            extra: "limits: { jobDeadline: 10 s }", expected: .failed(1, submissions: 3, downloads: 2, again: 1)),
        FaultCell(
            kind: .job, name: "is forgotten, once", rules: "- {path: '*/createReplica', nth: 1, job: forgets}", isQuick: true,
            expected: .healed(submissions: 4)),
        FaultCell(
            kind: .job, name: "its result is gone, once",
            rules: "- {path: '*/World_Street_Map/*/exportTiles', nth: 1, job: losesResult}",
            expected: .healed(submissions: 4, downloads: 3)),
        FaultCell(
            kind: .job, name: "completed with errors, the file is good",
            rules: "- {path: '*/createReplica', job: completesWithErrors}", expected: .healed()),
        FaultCell(
            kind: .job, name: "rows are missing in the file", rules: "- {path: '*/createReplica', job: dropsRows}",
            expected: .failed(1, submissions: 4, downloads: 4, again: 1)),
    ]

    private static let services = [
        FaultCell(
            kind: .service, name: "metadata changes between plan and `run --plan`",
            rules: "- {path: '*/Water_Network/FeatureServer/layers', rewrite: {'\"lastEditDate\":': '\"lastEditDate\":1'}}",
            event: .savedPlan, expected: .failed(66, submissions: 0, downloads: 0, again: 3)),
        FaultCell(
            kind: .service, name: "metadata: 503 with Retry-After, once each",
            rules: """
                - {path: '*/Water_Network/FeatureServer', nth: 1, status: 503, retryAfter: 1}
                - {path: '*/items/*/data', nth: 1, status: 503}
                """, expected: .healed()),
        FaultCell(
            kind: .service, name: "the portal is down", rules: "- {path: '*', status: 503}", extra: "limits: { attempts: 2 }",
            expected: .failed(69, submissions: 0, downloads: 0, again: 3)),
        FaultCell(
            kind: .service, name: "the web map is gone",
            rules: "- {path: '*/items/*', jsonError: {code: 400, message: Item does not exist or is inaccessible.}}",
            expected: .failed(66, submissions: 0, downloads: 0, again: 3)),
        FaultCell(
            kind: .service, name: "the count of rows does not come, once",
            rules: "- {path: '*/FeatureServer/0/query', nth: 1, status: 503}", expected: .healed()),
    ]

    private static let machines = [
        FaultCell(
            kind: .machine, name: "the clock is put forward by two hours", event: .clock(7200),
            isQuick: true, expected: .healed()),
        FaultCell(
            kind: .machine, name: "the clock is put back by two hours", event: .clock(-7200),
            expected: .healed()),
        FaultCell(
            kind: .machine, name: "the disk of the state is full", event: .full(.state),
            expected: .failed(73, submissions: 3, downloads: 0, again: 0)),
        FaultCell(
            kind: .machine, name: "the disk of the maps is full", event: .full(.output),
            expected: .failed(73, submissions: 3, downloads: 3, again: 0)),
    ]
}
