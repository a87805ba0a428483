import Basics
import CArchive
import CExpat
import CLerc
import CZlib

extension LibraryVersion {
    public static var formats: [LibraryVersion] {
        let archive = String(cString: archive_version_string())
        return [
            LibraryVersion(name: "libarchive", version: String(archive.drop { !$0.isNumber })),
            LibraryVersion(name: "zlib", version: String(cString: zlibVersion())),
            // The library does not say: that of its headers.
            LibraryVersion(name: "liblerc", version: "\(LERC_VERSION_MAJOR).\(LERC_VERSION_MINOR).\(LERC_VERSION_PATCH)"),
            LibraryVersion(name: "expat", version: String(String(cString: XML_ExpatVersion()).drop { !$0.isNumber })),
        ]
    }
}
