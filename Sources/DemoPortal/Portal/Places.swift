/// The URLs of a running portal.
struct Places: Sendable {
    /// `http://127.0.0.1:8080`
    var origin: String
    /// The second port, which stands for signed storage.
    var storeOrigin: String

    var portal: String { origin + "/portal" }
    var sharing: String { portal + "/sharing/rest" }
    var server: String { origin + "/server" }
    var services: String { server + "/rest/services" }

    static let servicesPath = "/server/rest/services"
    static let adminPath = "/server/rest/admin/services"
    static let outputPath = "/server/rest/directories/arcgisoutput"
    static let sharingPath = "/portal/sharing/rest"

    func service(_ path: String) -> String { services + "/" + path }
    func item(_ id: String) -> String { sharing + "/content/items/" + id }
}
