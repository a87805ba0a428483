import Basics

/// Who is told how a run went.
enum NotifyKeys {
    static let notify = ObjectShape(keys: [
        Key(
            name: "timeout", shape: .duration,
            meaning: "How long one try to tell one of them may take. What cannot be told is a warning and changes no exit code.",
            standard: "10 s", example: "30 s"),
        Key(
            name: "metrics", shape: .object(metrics), meaning: "Numbers for Prometheus.", standardInWords: "none",
            example: "{ textfile: /var/lib/prometheus/node-exporter/naperville.prom }"),
        Key(
            name: "ping", shape: .object(ping),
            meaning:
                "A dead man's switch in the manner of Healthchecks: `/start` when a run begins, the address itself when it ended "
                + "well, `/fail` with the exit code and the reasons when not.",
            standardInWords: "none", example: "{ url: { env: HEALTHCHECKS_URL } }"),
        Key(
            name: "webhook", shape: .object(webhook),
            meaning: "A POST with the verdict as JSON, signed as the Standard Webhooks specification says (HMAC-SHA256).",
            standardInWords: "none", example: "{ url: https://hooks.example.org/maps, secret: { env: HOOK_SECRET } }"),
        Key(
            name: "mail", shape: .object(mail), meaning: "A mail as plain text, through the machine's own `sendmail -t`.",
            standardInWords: "none", example: "{ to: [gis@example.org], from: maps@example.org }"),
        Key(
            name: "ci", shape: .object(ci), meaning: "For runs inside of a pipeline.",
            standardInWords: "annotations and a summary in GitHub Actions", example: "{ summary: summary.md }"),
    ])

    static let metrics = ObjectShape(keys: [
        Key(
            name: "textfile", shape: .text(.any), isRequired: true,
            meaning:
                "The file for the node exporter's textfile collector; its name ends in `.prom`, and each manifest needs its own. "
                + "A relative path begins at the manifest's folder.",
            example: "/var/lib/prometheus/node-exporter/naperville.prom")
    ])

    static let ping = ObjectShape(
        keys: [
            Key(
                name: "url", shape: address, isRequired: true,
                meaning: "The address, or where it is to be had: whoever knows it can ping.",
                example: "{ env: HEALTHCHECKS_URL }")
        ], isGuarded: true)

    static let webhook = ObjectShape(
        keys: [
            Key(
                name: "url", shape: address, isRequired: true, meaning: "The address, or where it is to be had.",
                example: "https://hooks.example.org/maps"),
            Key(
                name: "secret", shape: .object(AuthKeys.secret), isRequired: true,
                meaning:
                    "The key of the signature. One that begins with `whsec_` is base64 behind it, any other is taken as it is.",
                example: "{ env: HOOK_SECRET }"),
            occasion(.always),
        ], isGuarded: true)

    static let mail = ObjectShape(keys: [
        Key(
            name: "to", shape: .list(.text(.mailAddress), itemWords: "mail addresses"), isRequired: true,
            meaning: "Who gets the mail.", example: "[gis@example.org]"),
        Key(
            name: "from", shape: .text(.mailAddress), isRequired: true, meaning: "Who sends it.", example: "maps@example.org"),
        occasion(.problems),
        Key(
            name: "sendmail", shape: .text(.program),
            meaning: "The program that takes the mail on standard input, called with `-t -i`.",
            standard: .string(MailSettings.sendmail), example: "/usr/bin/msmtp"),
    ])

    static let ci = ObjectShape(keys: [
        Key(
            name: "summary", shape: .text(.any),
            meaning: "A file that gets the summary as Markdown. A relative path begins at the manifest's folder.",
            standardInWords: "none", example: "summary.md"),
        Key(
            name: "codeQuality", shape: .text(.any),
            meaning: "A file that gets the failures as a GitLab Code Quality report, for `artifacts: reports: codequality`.",
            standardInWords: "none", example: "gl-code-quality-report.json"),
        Key(
            name: "github", shape: .flag,
            meaning: "Inside of GitHub Actions: annotations at the manifest's lines, and the summary in `GITHUB_STEP_SUMMARY`.",
            standard: true, example: "false"),
    ])

    private static let address = Shape.either(scalar: .text(.url), collection: .object(AuthKeys.secret))

    private static func occasion(_ standard: NotifyOccasion) -> Key {
        Key(
            name: "when", shape: .choice(NotifyOccasion.allCases.map(\.rawValue)),
            meaning: "`always`, or `problems`: when the run did not end with `ok`.", standard: .string(standard.rawValue),
            example: standard == .always ? "problems" : "always")
    }
}
