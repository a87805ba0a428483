/// Why a file or a list of coordinates gives no polygon.
struct AreaProblem: Error, Hashable, Sendable {
    var message: String
    var hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}
