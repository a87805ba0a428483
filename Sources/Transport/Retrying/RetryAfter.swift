import CLibcurl

/// The `Retry-After` header: seconds, or a date in any form of RFC 9110.
public enum RetryAfter {
    /// How long to wait from `now` (seconds since 1970); zero for a date that has passed, nil for what is neither.
    public static func duration(_ headers: [HTTPHeader], now: Double) -> Duration? {
        guard let value = headers["Retry-After"]?.filter({ $0 != "\t" }) else { return nil }
        if let seconds = Double(value.filter { $0 != " " }) { return seconds >= 0 && seconds < 1e9 ? .seconds(seconds) : nil }
        let date = curl_getdate(value, nil)
        return date < 0 ? nil : .seconds(max(0, Double(date) - now))
    }
}
