import Basics

extension Redaction {
    public static func header(_ header: HTTPHeader) -> HTTPHeader {
        if isSecret(header: header.name) { return HTTPHeader(header.name, mark) }
        let isAddress = ["location", "referer", "content-location"].contains(header.name.lowercased())
        return isAddress ? HTTPHeader(header.name, url(header.value)) : header
    }
}
