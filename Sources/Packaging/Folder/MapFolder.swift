import ArcGIS
import Basics
import Formats
import Foundation
import Planning

/// Fills an empty folder with the offline map of one area (design chapter 5, formats.md 4.2). Blocks.
public struct MapFolder: Sendable {
    public enum Problem: Error, Sendable {
        case system(SystemError)
        case document(WebMapError)
        case style(FormatError)
    }

    public var plan: Plan
    /// Of the whole plan; made once for all its areas, because it takes time.
    public var planHash: String
    public var area: PlannedArea
    public var parts: [PackagedPart]
    public var thumbnail: Thumbnail?
    /// Milliseconds since 1970.
    public var created: Int64

    public init(
        plan: Plan, planHash: String, area: PlannedArea, parts: [PackagedPart], thumbnail: Thumbnail?, created: Int64
    ) {
        self.plan = plan
        self.planHash = planHash
        self.area = area
        self.parts = parts
        self.thumbnail = thumbnail
        self.created = created
    }

    /// The bytes of all files.
    public func write(to folder: String) throws(Problem) -> Int {
        do throws(SystemError) { try Files.makeDirectory(folder + "/p13") } catch { throw .system(error) }
        var files = try placeParts(in: folder)
        let document: MapDocument
        do throws(WebMapError) {
            document = try MapDocument(plan: plan, area: area, parts: parts)
        } catch {
            throw .document(error)
        }
        let item = ItemDescription(plan: plan, area: area, guid: guid, created: created, thumbnail: thumbnail)
        var texts = [
            ("p13/mobile_map.mmap", Array((["item": item.mapItem, "map": document.json] as JSON).serialized(.indented).utf8)),
            ("package.info", Array(item.packageInfo.serialized(.indented).utf8)),
        ]
        if let thumbnail { texts.append((thumbnail.fileName, thumbnail.bytes)) }
        for (path, bytes) in texts {
            try write(bytes, to: "\(folder)/\(path)")
            files.append((path, SHA256.hex(of: bytes), bytes.count))
        }
        let inventory = Inventory(
            plan: plan, planHash: planHash, area: area, parts: parts, document: document, files: files, created: created)
        let text = Array(inventory.json.serialized(.indented).utf8)
        try write(text, to: folder + "/inventory.json")
        return files.map(\.bytes).reduce(text.count, +)
    }

    private var guid: String { String(PackagedPart.uuid("\(plan.name)/\(area.id)").filter { $0 != "-" }) }

    private func placeParts(in folder: String) throws(Problem) -> [(path: String, sha256: String, bytes: Int)] {
        var files: [(path: String, sha256: String, bytes: Int)] = []
        for part in parts {
            let place = "p13/" + part.name
            if let kept = part.kept {
                files += try link(kept, to: place, in: folder)
            } else if part.job.kind == .style {
                files += try unpack(part, to: place, in: folder)
            } else {
                do throws(SystemError) { try Files.linkOrCopy(part.source, to: "\(folder)/\(place)") } catch {
                    throw .system(error)
                }
                files.append((place, part.sha256, part.bytes))
            }
        }
        return files
    }

    /// Hard links: what did not change takes no space. Its name follows that of the job, which may be another than it was.
    private func link(
        _ kept: KeptPart, to place: String, in folder: String
    ) throws(Problem) -> [(path: String, sha256: String, bytes: Int)] {
        var files: [(path: String, sha256: String, bytes: Int)] = []
        for file in kept.part.files {
            let path = place + file.path.dropFirst(kept.part.path.count)
            do throws(SystemError) {
                try Files.makeDirectory(Paths.parent("\(folder)/\(path)"))
                try Files.linkOrCopy("\(kept.folder)/\(file.path)", to: "\(folder)/\(path)")
            } catch {
                throw .system(error)
            }
            files.append((path, file.sha256, file.bytes))
        }
        return files
    }

    private func unpack(
        _ part: PackagedPart, to place: String, in folder: String
    ) throws(Problem) -> [(path: String, sha256: String, bytes: Int)] {
        var files: [(path: String, sha256: String, bytes: Int)] = []
        let entries: [(name: String, bytes: [UInt8])]
        do throws(FormatError) { entries = try StyleArchive.read(part.source) } catch { throw .style(error) }
        for entry in entries {
            let path = "\(place)/\(entry.name)"
            do throws(SystemError) { try Files.makeDirectory(Paths.parent("\(folder)/\(path)")) } catch { throw .system(error) }
            try write(entry.bytes, to: "\(folder)/\(path)")
            files.append((path, SHA256.hex(of: entry.bytes), entry.bytes.count))
        }
        return files
    }

    private func write(_ bytes: [UInt8], to path: String) throws(Problem) {
        do throws(SystemError) { try Files.writeAtomically(bytes, to: path) } catch { throw .system(error) }
    }
}
