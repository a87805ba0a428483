import CLibcurl
import Foundation

/// Dates in headers, in any form of RFC 9110 5.6.7.
public enum HTTPDate {
    public static func parse(_ text: String) -> Date? {
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : Date(timeIntervalSince1970: Double(seconds))
    }
}
