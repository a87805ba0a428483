import ArcGIS
import Basics
import Formats
import Planning

/// Proves a replica: it is a sound database, every layer is there, every shape can be read, and the rows are as many as the
/// service counts for the same filter (cases D01).
struct ReplicaProof: Sendable {
    var client: ArcGISClient

    func prove(_ path: String, _ work: ReplicaWork) async throws(Failure) -> Proof {
        let facts: GeodatabaseFacts
        do throws(FormatError) {
            facts = try await offPool { () throws(FormatError) in try Geodatabase.inspect(path) }
        } catch {
            throw Failure(.verify, error)
        }
        var proof = Proof(fileExtension: "geodatabase")
        var differences: [String] = []
        for layer in work.layers {
            guard let found = facts.layer(layer.layerID) else {
                throw .verification("layer \(layer.layerID) (\(layer.name)) is not in the replica")
            }
            proof.counts["\(layer.layerID) \(layer.name)"] = found.rows
            proof.warnings += Self.doubts(found, layer)
            if let attachments = found.attachments, attachments.count > 0 {
                proof.counts["\(layer.layerID) \(layer.name) attachments"] = attachments.count
            }
            guard let query = layer.countQuery else { continue }
            let expected = try await count(query)
            if found.rows != expected {
                differences.append("\(layer.name): \(found.rows) rows in the replica, \(expected) at the service")
            }
        }
        let counted = work.layers.filter { $0.countQuery != nil }
        if !counted.isEmpty, counted.allSatisfy({ facts.layer($0.layerID)?.rows == 0 }) {
            // Right as far as it goes; but longitude and latitude are easily swapped.
            proof.warnings.append("no layer has a row in this area")
        }
        if !differences.isEmpty { throw .verification("the replica is not what the service has", differences) }
        return proof
    }

    /// What is odd and still no reason to throw the file away: a shape that only Esri's library reads, a wrong size.
    private static func doubts(_ table: GeodatabaseTable, _ layer: ReplicaLayer) -> [String] {
        var doubts: [String] = []
        if let shapes = table.shapes {
            if shapes.undecodable > 0 {
                doubts.append("\(layer.name): \(shapes.undecodable) of \(table.rows) shapes cannot be read")
            }
            if let index = shapes.index, index.disagreements > 0 {
                doubts.append("\(layer.name): \(index.disagreements) of \(index.compared) shapes lie outside of their index box")
            }
        }
        if let attachments = table.attachments, attachments.wrongSizes > 0 {
            doubts.append(
                "\(layer.name): \(attachments.wrongSizes) of \(attachments.count) attachments have another size than recorded")
        }
        return doubts
    }

    private func count(_ query: ServiceRequest) async throws(Failure) -> Int {
        do throws(ArcGISError) {
            return try await client.count(ServiceQuery(url: query.url, parameters: query.parameters))
        } catch {
            throw Failure(.verify, error)
        }
    }
}
