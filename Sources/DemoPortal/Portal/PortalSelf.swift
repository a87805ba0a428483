import Basics

/// `portals/self`, `community/self` and the two `info` documents (REST reference 1.4 and 1.8).
enum PortalSelf {
    static let organizationID = "Zq81LmP0xYt3Rk5a"

    static func document(_ core: Core, identity: Identity?) -> JSON {
        let host = String(core.places.origin.drop { $0 != "/" }.dropFirst(2))
        var tree: JSON = [
            "id": .string(organizationID), "name": "Naperville Demo GIS",
            "portalName": core.flavour == .server ? "Portal for ArcGIS" : "ArcGIS Online",
            "isPortal": .bool(core.flavour == .server),
            "portalMode": core.flavour == .server ? "singletenant" : "multitenant", "urlKey": nil, "customBaseUrl": nil,
            "portalHostname": .string(host + "/portal"), "currentVersion": "2025.1", "allSSL": false, "supportsOAuth": true,
            "httpPort": 80, "httpsPort": 443, "maxTokenExpirationMinutes": JSON(Int(core.configuration.tokenMinutes)),
            "units": "english", "useVectorBasemaps": true, "authorizedCrossOriginDomains": [],
            "authorizedCrossOriginNoCorsDomains": [],
            "helperServices": [
                "geometry": ["url": .string(core.places.service("Utilities/Geometry/GeometryServer"))],
                "packaging": [
                    "url": .string(core.places.service("OfflinePackaging/GPServer")), "maxMapAreaItemsLimit": 16,
                    "exportTilesMap": [
                        ["source": "https://services.arcgisonline.com", "export": "https://tiledbasemaps.arcgis.com"],
                        ["source": "https://basemaps-api.arcgis.com", "export": "https://basemaps.arcgis.com"],
                        ["source": "https://ibasemaps-api.arcgis.com", "export": "https://tiledbasemaps.arcgis.com"],
                    ],
                ],
            ],
        ]
        switch identity?.kind {
        case .user: tree["user"] = identity.map(user)
        case .app: tree["appInfo"] = ["appId": .string(identity?.name ?? ""), "itemId": "", "privileges": []]
        case .apiKey: tree["appInfo"] = ["appId": "", "itemId": "", "privileges": ["premium:user:basemaps"]]
        case nil: break
        }
        return tree
    }

    static func user(_ identity: Identity) -> JSON {
        [
            "username": .string(identity.name), "fullName": .string(identity.name), "role": .string(identity.role),
            "orgId": .string(organizationID), "privileges": ["portal:user:viewOrgItems", "features:user:edit"],
        ]
    }

    static func sharingInfo(_ places: Places) -> JSON {
        [
            "owningSystemUrl": .string(places.portal),
            "authInfo": [
                "tokenServicesUrl": .string(places.sharing + "/generateToken"), "isTokenBasedSecurity": true,
            ],
        ]
    }

    /// A stand-alone server names no owner, and its own token service.
    static func serverInfo(_ core: Core) -> JSON {
        let isAlone = core.users.standAlone != nil
        var info: JSON = [
            "currentVersion": 11.3, "fullVersion": "11.3.0", "soapUrl": .string(core.places.server + "/services"),
            "secureSoapUrl": nil,
            "authInfo": [
                "isTokenBasedSecurity": true,
                "tokenServicesUrl": .string(isAlone ? core.places.server + "/tokens/" : core.places.sharing + "/generateToken"),
                "shortLivedTokenValidity": JSON(Int(core.configuration.tokenMinutes)),
            ],
        ]
        if !isAlone { info["owningSystemUrl"] = .string(core.places.portal) }
        return info
    }
}
