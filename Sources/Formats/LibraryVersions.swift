import Basics
import CArchive
import CExpat
import CZlib

extension LibraryVersion {
    public static var formats: [LibraryVersion] {
        let archive = String(cString: archive_version_string())
        return [
            LibraryVersion(name: "libarchive", version: String(archive.drop { !$0.isNumber })),
            LibraryVersion(name: "zlib", version: String(cString: zlibVersion())),
            LibraryVersion(name: "expat", version: String(String(cString: XML_ExpatVersion()).drop { !$0.isNumber })),
        ]
    }
}
