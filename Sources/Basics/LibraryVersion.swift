import CCrypto
import CSQLite
import CSimdJSON

/// A C library as it is loaded; each wrapping module names its own.
public struct LibraryVersion: Sendable, Equatable {
    public var name: String
    public var version: String

    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    public static var basics: [LibraryVersion] {
        [
            LibraryVersion(name: "sqlite", version: String(cString: sqlite3_libversion())),
            LibraryVersion(name: "simdjson", version: String(cString: ob_json_library_version())),
            LibraryVersion(name: "openssl", version: String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))),
        ]
    }
}
