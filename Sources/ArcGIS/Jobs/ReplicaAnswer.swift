import Basics

/// What createReplica answered, under all the names that servers use (REST reference 4.3, 4.4, cases B02).
public enum ReplicaSubmission: Sendable, Hashable {
    /// A job to be asked again.
    case job(statusURL: String)
    /// Done at once: the file.
    case file(url: String)
    /// Done at once: the data itself, or the description of a replica around existing data.
    case embedded(JSON)
}

public struct ReplicaAnswer: Sendable, Hashable {
    public var submission: ReplicaSubmission
    /// nil for jobs, which say it later, and for unregistered copies.
    public var replicaID: String?
    /// As the server made it unique.
    public var replicaName: String?

    init(_ answer: JSON, url: String) throws(ArcGISError) {
        replicaID = Self.replicaID(in: answer)
        replicaName = answer["replicaName"]?.string
        if let status = Self.text(answer, ["statusurl"]), let statusURL = URLText.resolve(status, against: url) {
            submission = .job(statusURL: statusURL)
        } else if let file = Self.fileURL(in: answer, base: url) {
            submission = .file(url: file)
        } else if answer["layers"]?.array != nil || answer["transportType"]?.string?.lowercased() == "esritransporttypeembedded" {
            submission = .embedded(answer)
        } else {
            throw .unexpected("a createReplica answer without job, file or data", answer, url: url)
        }
    }

    /// Empty text stands for none: copies that are not registered have no id.
    static func replicaID(in answer: JSON) -> String? { text(answer, ["replicaid"]) }

    static func fileURL(in answer: JSON, base: String) -> String? {
        text(answer, ["resulturl", "responseurl", "url"]).flatMap { URLText.resolve($0, against: base) }
    }

    /// The first non-empty text under one of the lower-case names, whatever case the server uses.
    private static func text(_ answer: JSON, _ names: [String]) -> String? {
        let members = answer.object?.members ?? []
        for name in names {
            for member in members where member.key.lowercased() == name {
                if let text = member.value.string?.trimmed, !text.isEmpty { return text }
            }
        }
        return nil
    }
}
