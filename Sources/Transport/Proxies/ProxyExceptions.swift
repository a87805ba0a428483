import Glibc

/// A list of hosts that are reached without a proxy, in the way of curl: separated by commas or blanks; a name stands for itself and all
/// hosts below it; addresses are compared as numbers and may be networks (`10.0.0.0/8`); `*` alone is every host.
struct ProxyExceptions {
    var list: String

    /// The entry, as written, that keeps a host from the proxy.
    /// - Parameter host: of a URL: an IPv6 address in brackets.
    func entry(for host: String) -> String? {
        if list == "*" { return list }
        let entries = list.split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
        let bare = host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
        if let address = Self.bytes(bare) { return entries.first { Self.contains(address, network: $0) } }
        let name = Self.withoutLastDot(host.lowercased())
        return entries.first { entry in
            let domain = Self.withoutLastDot(entry.lowercased()).drop(while: Self.isFirstDot(of: entry))
            return !domain.isEmpty && (name == domain || name.hasSuffix("." + domain))
        }
    }

    /// One leading dot is no part of a name.
    private static func isFirstDot(of entry: String) -> (Character) -> Bool {
        var isFirst = true
        return { character in
            defer { isFirst = false }
            return isFirst && character == "."
        }
    }

    private static func withoutLastDot(_ name: String) -> Substring { name.hasSuffix(".") ? name.dropLast() : name[...] }

    private static func contains(_ address: [UInt8], network entry: String) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1)
        guard let text = parts.first, let network = bytes(String(text)), network.count == address.count else { return false }
        let wanted = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        guard wanted >= 0, wanted <= address.count * 8 else { return false }
        // No length means the whole address.
        let bits = wanted == 0 ? address.count * 8 : wanted
        return zip(address, network).enumerated().allSatisfy { index, pair in
            let counted = min(8, max(0, bits - index * 8))
            return pair.0 >> (8 - counted) == pair.1 >> (8 - counted)
        }
    }

    /// 4 or 16 bytes; nil for a name.
    private static func bytes(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
