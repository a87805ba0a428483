import Basics
import Foundation

extension Wording {
    /// The reason of a job for people: what files say in UTC to the second is a day of the local calendar here. In many places the
    /// night of one day is UTC's day before.
    static func reason(_ text: String, in zone: TimeZone) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            ISOTime.date(String(word)).map { String(Moment.local($0, in: zone).prefix(10)) } ?? String(word)
        }.joined(separator: " ")
    }
}
