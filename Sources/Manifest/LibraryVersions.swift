import Basics
import CYAML

extension LibraryVersion {
    public static var manifest: [LibraryVersion] {
        [LibraryVersion(name: "libyaml", version: String(cString: yaml_get_version_string()))]
    }
}
