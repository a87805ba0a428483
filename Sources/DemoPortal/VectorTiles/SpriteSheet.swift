import Basics
import Geography

/// Two icons side by side: a hydrant and a valve, 20 px each, twice as large on fine displays.
struct SpriteSheet {
    let scale: Int

    var index: JSON {
        func icon(_ column: Int) -> JSON {
            [
                "x": JSON(column * 20 * scale), "y": 0, "width": JSON(20 * scale), "height": JSON(20 * scale),
                "pixelRatio": JSON(scale),
            ]
        }
        return ["hydrant": icon(0), "valve": icon(1)]
    }

    var picture: [UInt8] {
        let size = Double(20 * scale)
        let clear = Canvas.Color(0xFFFFFF, alpha: 0)
        guard let canvas = Canvas(width: 40 * scale, height: 20 * scale, background: clear, isTransparent: true) else {
            return []
        }
        canvas.dot(
            Coordinate(x: size / 2, y: size / 2), radius: size * 0.3, Canvas.Color(0xD62F27), outline: Canvas.Color(0xFFFFFF))
        canvas.square(Coordinate(x: size * 1.5, y: size / 2), half: size * 0.3, Canvas.Color(0x0A3C9E))
        return canvas.png()
    }
}
