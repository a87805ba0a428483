import Basics
import Testing

@testable import ArcGIS

@Suite struct StyleResourcesTests {
    private func resources(fonts: [JSON]) -> StyleResources {
        let layers = fonts.map { ["layout": ["text-font": [$0]]] as JSON }
        return StyleResources(
            VectorStyle(
                url: "https://h/styles/root.json",
                document: ["glyphs": "https://h/fonts/{fontstack}/{range}.pbf", "layers": .array(layers)]))
    }

    @Test("a font is a folder in the copy, if a folder can have its name")
    func fontNames() {
        let long = String(repeating: "x", count: 201)
        let found = resources(fonts: ["Arial Regular", "../../etc", "a/b", ".hidden", "bell\u{7}", .string(long), "C:x"])
        #expect(Set(found.resources.map { $0.name.split(separator: "/")[1] }) == ["Arial Regular"])
        #expect(Set(found.unusableFonts) == ["../../etc", "a/b", ".hidden", "bell\u{7}", long, "C:x"])
    }
}
