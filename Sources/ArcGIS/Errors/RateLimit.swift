/// Rate limits that say in words how long to wait: "try again in 60 sec" (cases G12).
enum RateLimit {
    /// At most a day; nil when the text says nothing of the kind.
    static func wait(in text: String) -> Duration? {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        guard let again = words.indices.first(where: { words[$0] == "again" && words[$0...].dropFirst().first == "in" }),
            words.indices.contains(again + 2), let seconds = Int(words[again + 2])
        else { return nil }
        return (0...86_400).contains(seconds) ? .seconds(seconds) : nil
    }
}
