import Basics
import CGEOS
import CPROJ

extension LibraryVersion {
    public static var geography: [LibraryVersion] {
        [
            LibraryVersion(name: "geos", version: String(cString: GEOSversion())),
            LibraryVersion(name: "proj", version: String(cString: proj_info().version)),
        ]
    }
}
