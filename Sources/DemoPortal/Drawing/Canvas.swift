import CCairo
import CJPEG
import Geography

import func Glibc.free

/// A picture being drawn; every call makes its own, so drawing is safe from any thread.
final class Canvas {
    struct Color: Sendable {
        var red: Double
        var green: Double
        var blue: Double
        var alpha = 1.0

        /// 0xRRGGBB.
        init(_ hex: UInt32, alpha: Double = 1) {
            red = Double(hex >> 16 & 255) / 255
            green = Double(hex >> 8 & 255) / 255
            blue = Double(hex & 255) / 255
            self.alpha = alpha
        }
    }

    let width: Int
    let height: Int
    private let surface: OpaquePointer
    private let context: OpaquePointer

    init?(width: Int, height: Int, background: Color, isTransparent: Bool = false) {
        let format = isTransparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24
        guard let surface = cairo_image_surface_create(format, Int32(width), Int32(height)) else { return nil }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let context = cairo_create(surface) else {
            cairo_surface_destroy(surface)
            return nil
        }
        self.width = width
        self.height = height
        self.surface = surface
        self.context = context
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        set(background)
        cairo_paint(context)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    private func set(_ color: Color) { cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha) }

    private func trace(_ path: [Coordinate], closed: Bool) {
        for (index, place) in path.enumerated() {
            if index == 0 { cairo_move_to(context, place.x, place.y) } else { cairo_line_to(context, place.x, place.y) }
        }
        if closed { cairo_close_path(context) }
    }

    /// Pixels; `dashes` empty for a solid line.
    func stroke(_ paths: [[Coordinate]], _ color: Color, width: Double, dashes: [Double] = []) {
        set(color)
        cairo_set_line_width(context, width)
        cairo_set_line_cap(context, dashes.isEmpty ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT)
        cairo_set_dash(context, dashes, Int32(dashes.count), 0)
        for path in paths { trace(path, closed: false) }
        cairo_stroke(context)
    }

    /// Rings of one polygon: holes stay open whatever the direction.
    func fill(_ rings: [[Coordinate]], _ color: Color) {
        set(color)
        cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
        for ring in rings { trace(ring, closed: true) }
        cairo_fill(context)
    }

    func dot(_ center: Coordinate, radius: Double, _ color: Color, outline: Color? = nil) {
        cairo_new_path(context)
        cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
        set(color)
        if let outline {
            cairo_fill_preserve(context)
            set(outline)
            cairo_set_line_width(context, max(1, radius * 0.3))
            cairo_set_dash(context, [], 0, 0)
            cairo_stroke(context)
        } else {
            cairo_fill(context)
        }
    }

    func square(_ center: Coordinate, half: Double, _ color: Color) {
        set(color)
        cairo_rectangle(context, center.x - half, center.y - half, 2 * half, 2 * half)
        cairo_fill(context)
    }

    /// Text centred on a place, turned by `angle` radians, with a light halo. Without fonts on the machine cairo draws its own.
    func text(_ text: String, at center: Coordinate, angle: Double, size: Double, _ color: Color) {
        cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
        cairo_set_font_size(context, size)
        var extents = cairo_text_extents_t()
        cairo_text_extents(context, text, &extents)
        guard extents.width > 0 else { return }
        cairo_save(context)
        cairo_translate(context, center.x, center.y)
        cairo_rotate(context, angle)
        cairo_move_to(context, -extents.width / 2 - extents.x_bearing, -extents.height / 2 - extents.y_bearing)
        cairo_text_path(context, text)
        set(Color(0xFFFFFF, alpha: 0.85))
        cairo_set_line_width(context, size * 0.25)
        cairo_set_dash(context, [], 0, 0)
        cairo_stroke_preserve(context)
        set(color)
        cairo_fill(context)
        cairo_restore(context)
    }

    func textWidth(_ text: String, size: Double) -> Double {
        cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
        cairo_set_font_size(context, size)
        var extents = cairo_text_extents_t()
        cairo_text_extents(context, text, &extents)
        return extents.width
    }

    /// Empty when cairo could not encode, which only happens out of memory.
    func png() -> [UInt8] {
        final class Sink { var bytes: [UInt8] = [] }
        let sink = Sink()
        let status = cairo_surface_write_to_png_stream(
            surface,
            { sink, data, length in
                guard let sink, let data else { return CAIRO_STATUS_WRITE_ERROR }
                Unmanaged<Sink>.fromOpaque(sink).takeUnretainedValue().bytes
                    .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
                return CAIRO_STATUS_SUCCESS
            }, Unmanaged.passUnretained(sink).toOpaque())
        return status == CAIRO_STATUS_SUCCESS ? sink.bytes : []
    }

    /// Baseline JPEG; empty when libjpeg could not encode.
    func jpeg(quality: Int = 80) -> [UInt8] {
        cairo_surface_flush(surface)
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        let done = ob_jpeg_compress(
            cairo_image_surface_get_data(surface), Int32(width), Int32(height), cairo_image_surface_get_stride(surface),
            Int32(quality),
            &output, &size)
        guard done == 1, let output else { return [] }
        defer { free(output) }
        return Array(UnsafeBufferPointer(start: output, count: Int(size)))
    }
}
