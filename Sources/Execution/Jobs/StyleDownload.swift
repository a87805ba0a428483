import ArcGIS
import Basics
import Packaging
import Planning

/// Copies a custom style with the sprites and glyph ranges it uses (REST reference 7.5) into one archive.
struct StyleDownload: Sendable {
    var client: ArcGISClient
    /// Of all files together, which are in memory until the archive is written. A style of Esri's with its fonts has a few megabytes.
    var maximumBytes = 1 << 28
    /// A style names its fonts, each of which is seven files; the richest of Esri's have some forty.
    static let maximumFiles = 5000

    struct Copy: Sendable {
        var files: [(name: String, bytes: [UInt8])]
        var warnings: [String]
    }

    func callAsFunction(_ work: StyleWork) async throws(Failure) -> Copy {
        let style: VectorStyle
        do throws(ArcGISError) { style = try await client.vectorStyle(work.styleURL) } catch { throw Failure(.download, error) }
        let plan = StyleResources(style)
        if plan.resources.count > Self.maximumFiles {
            throw tooLarge(
                "the style asks for \(plan.resources.count) files, and \(Self.maximumFiles) are the most that are fetched")
        }
        var bytes = 0
        var copy = Copy(files: [("styles/root.json", Array(plan.localDocument.serialized(.indented).utf8))], warnings: [])
        copy.warnings += plan.unusableFonts.map {
            "the font \"\($0.prefix(80))\" has a name that no folder can have; its glyphs stay out"
        }
        var listed: [JSON] = []
        for resource in plan.resources {
            do throws(ArcGISError) {
                let content = try await client.bytes(resource.url)
                bytes += content.count
                copy.files.append((resource.name, content))
                listed.append(.string("../" + resource.name))
            } catch {
                // A sheet for dense screens, or a range of glyphs that no text needs, may be absent; what is missing is said.
                guard error.isMissing || error.code == 400 else { throw Failure(.download, error) }
                if !resource.isOptional { copy.warnings.append("style resource \(resource.name) is missing at the server") }
            }
            if bytes > maximumBytes { throw tooLarge("the files of the style have more than \(maximumBytes) bytes") }
        }
        copy.files.append(("info/root.json", Array((["resourceInfo": .array(listed)] as JSON).serialized(.indented).utf8)))
        return copy
    }

    private func tooLarge(_ words: String) -> Failure { Failure(phase: .download, kind: .permanent, message: words) }
}
