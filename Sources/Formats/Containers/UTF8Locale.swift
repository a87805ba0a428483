import Glibc

/// libarchive converts entry names through the locale of the thread, and a program starts in "C", where every name that is
/// not ASCII is lost. This gives the calling thread a UTF-8 locale for the length of one call.
enum UTF8Locale {
    // Made once, never changed or freed: a locale object may be used by any number of threads.
    private nonisolated(unsafe) static let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)

    static func run<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard let locale else { return try body() }
        let previous = uselocale(locale)
        defer { _ = uselocale(previous) }
        return try body()
    }
}
