import Basics
import Foundation

/// Why a job runs, or why it need not (design chapter 1: a job carries its reason).
public enum JobReason: Sendable, Hashable {
    /// The map that is out has nothing of it, or there is none.
    case new
    case serviceChanged
    case areaChanged
    case whereChanged
    /// Other parameters of the request, by name.
    case parametersChanged([String])
    case styleChanged
    /// Milliseconds since 1970; nil where only a difference shows.
    case sourceEdited(Int?)
    case schemaChanged(Int?)
    /// Another version of this program makes another request of the same manifest.
    case versionChanged
    case artifactMissing
    case artifactDamaged
    /// `refresh: always`.
    case always
    case olderThan(seconds: Int)
    case noStamp
    /// The replica in the file is not registered any more: nothing could be synchronised with it.
    case replicaLost(ReplicaLoss)
    /// The map's own document or description, or which layers it shows.
    case mapChanged
    /// `run --refresh`.
    case asked
    /// Fetched then, and since then nothing changed that decides its bytes; milliseconds since 1970.
    case unchanged(since: Int)

    public var words: String {
        switch self {
        case .new: "new"
        case .serviceChanged: "service changed"
        case .areaChanged: "area changed"
        case .whereChanged: "where clause changed"
        case .parametersChanged(let names): "\(names.joined(separator: ", ")) changed"
        case .styleChanged: "style changed"
        case .sourceEdited(let time): "source edited" + Self.at(time)
        case .schemaChanged(let time): "schema changed" + Self.at(time)
        case .versionChanged: "made by another version"
        case .artifactMissing: "artifact missing"
        case .artifactDamaged: "artifact damaged"
        case .always: "refresh: always"
        case .olderThan(let seconds): "older than \(Self.span(seconds))"
        case .noStamp: "no edit stamp"
        case .replicaLost(.unregistered): "replica not registered any more"
        case .replicaLost(.goneAtServer): "its replica is gone from the server"
        case .mapChanged: "map changed"
        case .asked: "asked for"
        case .unchanged(let time): "unchanged since" + Self.at(time)
        }
    }

    private static func at(_ time: Int?) -> String {
        time.map { " " + ISOTime.text(Date(timeIntervalSince1970: Double($0) / 1000)) } ?? ""
    }

    private static func span(_ seconds: Int) -> String {
        for (size, unit) in [(86_400, "d"), (3600, "h"), (60, "min")] where seconds % size == 0 {
            return "\(seconds / size) \(unit)"
        }
        return "\(seconds) s"
    }
}

/// How a registered replica came to be registered no more.
public enum ReplicaLoss: Sendable, Hashable {
    /// By us; or the state, which would know it, was lost.
    case unregistered
    /// The server does not know it: somebody removed it there, or the service was published anew.
    case goneAtServer
}
