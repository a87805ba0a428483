import ArcGIS
import Basics
import Packaging
import Planning

/// Copies a custom style with the sprites and glyph ranges it uses (REST reference 7.5) into one archive.
struct StyleDownload: Sendable {
    var client: ArcGISClient

    struct Copy: Sendable {
        var files: [(name: String, bytes: [UInt8])]
        var warnings: [String]
    }

    func callAsFunction(_ work: StyleWork) async throws(Failure) -> Copy {
        let style: VectorStyle
        do throws(ArcGISError) { style = try await client.vectorStyle(work.styleURL) } catch { throw Failure(.download, error) }
        let plan = StyleResources(style)
        var copy = Copy(files: [("styles/root.json", Array(plan.localDocument.serialized(.indented).utf8))], warnings: [])
        copy.warnings += plan.unusableFonts.map {
            "the font \"\($0.prefix(80))\" has a name that no folder can have; its glyphs stay out"
        }
        var listed: [JSON] = []
        for resource in plan.resources {
            do throws(ArcGISError) {
                copy.files.append((resource.name, try await client.bytes(resource.url)))
                listed.append(.string("../" + resource.name))
            } catch {
                // A sheet for dense screens, or a range of glyphs that no text needs, may be absent; what is missing is said.
                guard error.isMissing || error.code == 400 else { throw Failure(.download, error) }
                if !resource.isOptional { copy.warnings.append("style resource \(resource.name) is missing at the server") }
            }
        }
        copy.files.append(("info/root.json", Array((["resourceInfo": .array(listed)] as JSON).serialized(.indented).utf8)))
        return copy
    }
}
