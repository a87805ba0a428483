extension Int {
    /// A number of bytes in decimal units: "999 B", "12.3 MB".
    public var bytesText: String {
        guard self >= 1000 else { return "\(self) B" }
        var value = Double(self)
        for unit in ["kB", "MB", "GB"] {
            value /= 1000
            // 999.95 would print as 1000.0.
            if value < 999.95 { return Self.tenths(value) + " " + unit }
        }
        return Self.tenths(value / 1000) + " TB"
    }

    private static func tenths(_ value: Double) -> String {
        let scaled = Int((value * 10).rounded())
        return "\(scaled / 10).\(scaled % 10)"
    }
}
