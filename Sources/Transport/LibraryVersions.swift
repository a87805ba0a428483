import Basics
import CLibcurl

extension LibraryVersion {
    public static var transport: [LibraryVersion] {
        // CURLVERSION_NOW is an enumerator alias that Swift does not import; the oldest layout holds the version already.
        [LibraryVersion(name: "libcurl", version: String(cString: curl_version_info(CURLVERSION_FIRST).pointee.version))]
    }
}
