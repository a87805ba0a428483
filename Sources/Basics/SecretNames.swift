/// The one list of names that mean a secret: what looks like one by its name is taken for one. Values are in `KnownSecrets`.
enum SecretNames {
    /// Wherever they stand: as a parameter, as a member of JSON, in running text.
    static let always: Set<String> = [
        "token", "access_token", "refresh_token", "password", "client_secret", "apikey", "api_key", "sig", "x-amz-signature",
        "x-amz-credential", "x-amz-security-token", "x-goog-signature", "x-goog-credential",
    ]

    /// Only as a parameter. A `code` of an error or a coded domain is no secret, and a policy may be anybody's. A signed URL is
    /// a secret too: whoever has it can fetch.
    static let parameters: Set<String> = [
        "code", "code_verifier", "assertion", "signature", "awsaccesskeyid", "key-pair-id", "policy",
    ]

    static let headers: Set<String> = [
        "authorization", "proxy-authorization", "x-esri-authorization", "x-esri-auth-redirect", "cookie", "set-cookie",
        "x-api-key",
    ]
}
