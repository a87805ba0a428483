import ArcGIS
import Basics
import Manifest

/// Words for what is wrong with the things a run begins with: secrets and maps.
extension Wording {
    /// Names the reference and the reason, never the value.
    public static func words(for error: SecretError) -> String {
        "\(error.reference): \(words(for: error.reason))"
    }

    private static func words(for reason: SecretError.Reason) -> String {
        switch reason {
        case .notSet(let variable) where variable == SecretReference.credentialFolder:
            "\(variable) is not set, as it is by systemd for a unit with LoadCredential="
        case .notSet: "it is not set"
        case .unreadable(let error): "it cannot be read: \(error.message)"
        case .openToOthers(let mode): "others can read it (mode \(String(mode, radix: 8))); close it with `chmod 600`"
        case .empty: "it is empty"
        case .notText: "it is not text"
        case .tooLong: "it is too long to be a secret"
        case .commandNotStarted(let error): words(for: .notStarted(error))
        case .commandFailed(let status): words(for: .failed(status: status))
        case .commandTimedOut(let seconds): words(for: .timedOut(seconds: seconds))
        }
    }

    public static func words(for failure: ChildProcess.Failure) -> String {
        switch failure {
        case .notStarted(let error): "the command did not start: \(error.message)"
        case .failed(let status): "the command ended with \(status)"
        case .timedOut(let seconds): "the command did not end within \(seconds) s"
        }
    }

    public static func words(for error: WebMapError) -> String {
        switch error {
        case .notJSON(let reason): "it is not JSON: \(reason.printable)"
        case .webScene: "it is a web scene; only web maps (2D) can be taken offline"
        case .item(let id, let type):
            "it is the description of the item \(id) (\(type.printable)), not its data; `/sharing/rest/content/items/\(id)/data` gives the map"
        case .notAWebMap(let members):
            "it is JSON, but no web map: it has "
                + (members.isEmpty ? "no members" : "only " + members.prefix(8).map(\.printable).joined(separator: ", "))
        }
    }

    public static func words(for warning: WebMapWarning) -> String {
        switch warning {
        case .version(let version): "the map's version is \(version.printable), not 2.x"
        case .printDocument: "it is a print document (ExportWebMap): its base map is among its layers"
        case .webScene: "it is a web scene: it can be listed, not taken offline"
        case .notALayer(let section, let index): "entry \(index + 1) of \(section) is no layer"
        case .duplicateID(let id): "several layers have the id \(id.printable); the later ones got new ids here"
        }
    }
}
