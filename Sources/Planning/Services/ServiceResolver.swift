import ArcGIS
import Manifest

/// A service of the manifest with its address.
struct NamedService {
    var entry: ServiceEntry
    /// nil: its item could not be read, and no map remembers it.
    var address: ServiceAddress?
    var itemID: String?
    /// Of its item.
    var itemTitle: String?
    /// The style that a vector tile item has of its own.
    var styleURL: String?
    /// Why nothing is known of it today.
    var failure: ArcGISError?

    /// For what it brings as one: a tiled layer, or the group of its feature layers.
    var title: String {
        entry.title ?? itemTitle ?? address?.serviceName?.replacing("_", with: " ") ?? address?.service ?? itemID
            ?? entry.source.name
    }

    /// What an earlier night knew of it.
    mutating func recall(_ known: RememberedService?) {
        address = address ?? known.flatMap { ServiceAddress($0.address) }
        itemTitle = itemTitle ?? known?.itemTitle
        styleURL = styleURL ?? known?.styleURL
    }

    func remembered(_ outline: ServiceOutline) -> RememberedService? {
        address.map {
            RememberedService(
                name: entry.source.name, address: $0.layerURL, itemTitle: itemTitle, styleURL: styleURL, outline: outline)
        }
    }
}

/// Finds the addresses of the manifest's `services:`; those of items are the portal's to say.
struct ServiceResolver {
    var client: ArcGISClient

    func resolve(_ entries: [ServiceEntry]) async throws(PlanRefusal) -> [NamedService] {
        var services: [NamedService] = []
        var problems: [PlanProblem] = []
        for entry in entries {
            do throws(PlanProblem.Thrown) {
                services.append(try await resolve(entry))
            } catch {
                problems.append(error.problem)
            }
        }
        if !problems.isEmpty { throw PlanRefusal(problems: problems) }
        return services
    }

    private func resolve(_ entry: ServiceEntry) async throws(PlanProblem.Thrown) -> NamedService {
        switch entry.source {
        case .url(let text):
            guard let address = ServiceAddress(text), address.isOfService else {
                throw refusal(entry, "\(text) is not the address of a feature, map, image or vector tile service", [])
            }
            return NamedService(entry: entry, address: address)
        case .item(let id):
            let item: PortalItem
            do throws(ArcGISError) {
                item = try await client.item(id)
            } catch {
                // An item that could not be read is a layer that does not come; one that is not there is a slip in the manifest.
                guard error.isTransient || error.isDenied || error.isAuthentication else {
                    throw PlanProblem(origin: entry.origin, failure: Failure(.metadata, error).naming("service \(id)")).thrown
                }
                return NamedService(entry: entry, itemID: id, failure: error)
            }
            guard let address = item.url.flatMap(ServiceAddress.init), address.isOfService else {
                throw refusal(
                    entry, "the item \(id) is no feature, map, image or vector tile service but a \(item.type)",
                    [item.title] + (item.isWebMap ? ["a web map is named by webMap"] : []))
            }
            var service = NamedService(entry: entry, address: address, itemID: id, itemTitle: item.title)
            guard address.type == .vectorTile else { return service }
            do throws(ArcGISError) {
                service.styleURL = try await client.itemStyleURL(id)
            } catch {
                service.failure = error
            }
            return service
        }
    }

    private func refusal(_ entry: ServiceEntry, _ message: String, _ details: [String]) -> PlanProblem.Thrown {
        PlanProblem(origin: entry.origin, failure: .refusal(message, details)).thrown
    }
}

extension ServiceAddress {
    /// Of a kind that can be exported.
    var isOfService: Bool {
        switch type {
        case .feature, .map, .image, .vectorTile: true
        default: false
        }
    }
}

extension ServiceEntry.Source {
    /// nil for what is no address of a service that can be exported. A query, which may hold a token, is dropped.
    public init?(address text: String) {
        guard let address = ServiceAddress(text), address.isOfService else { return nil }
        self = .url(address.layerURL)
    }
}
