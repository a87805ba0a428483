import Basics

/// A certificate for `localhost` that it signed itself, good for a day, and its key: what a company's server looks like from outside.
public struct LocalhostIdentity: Sendable {
    private let folder: TemporaryFolder
    public var certificate: String { folder.file("certificate.pem") }
    /// Closed to others, as keys must be.
    public var key: String { folder.file("key.pem") }

    public static let isPossible = Files.exists(openssl)
    public static let openssl = "/usr/bin/openssl"

    public init() throws {
        folder = try TemporaryFolder()
        let words =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
            + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        let made = try Command.run(Self.openssl, words + ["-keyout", key, "-out", certificate])
        guard made.status == 0 else { throw NotMade(words: made.errors) }
    }

    struct NotMade: Error {
        var words: String
    }
}
