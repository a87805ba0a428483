import Geography

/// The pictures attached to hydrants: drawn, tiny, and real PNG or JPEG files.
struct HydrantPicture: Sendable {
    var contentType: String
    var suffix: String
    var data: [UInt8]

    static let all: [HydrantPicture] = (0..<6).compactMap(draw)

    private static func draw(_ variant: Int) -> HydrantPicture? {
        let skies: [UInt32] = [0xCFE8F7, 0xF6E3B5, 0xD9D9E8]
        let bodies: [UInt32] = [0xD32F27, 0xF2B705, 0xC0262D, 0x2C6FBB]
        guard let canvas = Canvas(width: 96, height: 72, background: Canvas.Color(skies[variant % 3])) else { return nil }
        let body = Canvas.Color(bodies[variant % 4])
        func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: Canvas.Color) {
            canvas.fill([Envelope(xmin: x, ymin: y, xmax: x + width, ymax: y + height).ring], color)
        }
        box(0, 54, 96, 18, Canvas.Color(0x7DA35B))
        box(40, 24, 18, 34, body)
        box(34, 32, 30, 8, body)
        box(37, 56, 24, 4, Canvas.Color(0x555555))
        canvas.dot(Coordinate(x: 49, y: 24), radius: 9, body)
        canvas.dot(Coordinate(x: 49, y: 36), radius: 4, Canvas.Color(0xEEEEEE))
        return variant % 2 == 0
            ? HydrantPicture(contentType: "image/jpeg", suffix: "jpg", data: canvas.jpeg())
            : HydrantPicture(contentType: "image/png", suffix: "png", data: canvas.png())
    }
}
