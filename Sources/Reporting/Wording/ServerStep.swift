import Planning

/// Advice that follows from the server's code: ArcGIS's own codes and HTTP's mean the same where both exist.
extension Wording {
    static func accessStep(_ failure: Failure, _ clues: Clues) -> String? {
        switch failure.code {
        case 498:
            return
                "The token is invalid or has expired: renew what portal.auth (or the server's entry in "
                + "portal.servers) in the manifest points to, then run again."
        case 401, 499:
            return
                "The service wants a sign-in: name an account or key under portal.auth in the manifest (apiKey, token, oauth or user); "
                + "a server that is not federated with the portal needs its own, under portal.servers."
        case 403 where failure.phase == .metadata || failure.phase == .signIn:
            return
                "The account of portal.auth (without it, the public) may not see this item or service: ask its owner to share it with "
                + "the account."
        case 403:
            return
                "The account of portal.auth may see the service but not export from it: ask its owner to allow Export Tiles or Sync "
                + "for the account, or exclude the layer."
        case _ where failure.phase == .signIn && clues.has("it is not set"):
            return "Set the variable for the account that runs offline-batch, or let portal.auth point to a file or a command."
        case _ where failure.phase == .signIn && clues.has("credentials_directory"):
            return
                "The units of `offline-batch schedule` have it. By hand: CREDENTIALS_DIRECTORY=FOLDER offline-batch …, with a folder that the "
                + "account can read, or `systemd-run` with LoadCredential= (docs/operations.md)."
        case _ where failure.phase == .signIn && clues.has("password", "username", "credential"):
            return "Check the user name and the password that portal.auth or portal.servers in the manifest points to."
        case _ where failure.phase == .signIn:
            return "Check portal.url and portal.auth in the manifest; the account must be allowed to sign in there."
        default: return nil
        }
    }

    static func codeStep(_ failure: Failure, _ clues: Clues) -> String? {
        switch failure.code {
        case 404, 410:
            if failure.phase == .download || failure.phase == .result || failure.phase == .poll {
                return "The server has deleted its result, as servers do after some minutes: run again, it is asked for anew."
            }
            return
                "The item or service is not there: open its URL in a browser; then correct the web map or the manifest, "
                + "or exclude the layer."
        case 413: return tooLargeStep
        case 429: return "The server asks to slow down: run later, or lower `limits.jobsPerHost` in the manifest."
        case 502, 503, 504: return "The server or its gateway is overloaded or down: run the same command again later."
        case 400 where clues.has("cont_0001", "does not exist or is inaccessible"):
            return
                "The item was deleted or is not shared with this account: check it in the portal; then correct the web map or the manifest, "
                + "or exclude the layer."
        default: return nil
        }
    }

    private static let tooLargeStep =
        "Allow the area's border to be simplified outward with `simplify` in the manifest, for example `simplify: 5 m`, or use an "
        + "envelope."

    static func requestStep(_ failure: Failure, _ clues: Clues) -> String? {
        if clues.has("makes a request of", "entity too large", "request too large", "post size") { return tooLargeStep }
        if clues.has("no layer of the map matches", "matches no layer") {
            return "Correct `match` in the manifest: `offline-batch inspect MAP` lists every layer with its title and id."
        }
        if clues.has("not a web map", "only web maps can be taken offline")
            || (failure.phase == .metadata && clues.has("no web map", "web scene", "not its data", "it is not json"))
        {
            return "Give the item id of a web map, or a file that holds a web map's JSON data."
        }
        if clues.has("not sync enabled", "sync is not", "sync not", "does not support sync") {
            return "Ask the service's owner to enable Sync on it, or exclude the layer in the manifest."
        }
        if clues.has("where clause", "invalid where", "'where'", "invalid expression", "sql") {
            return "Correct the `where` clause of this layer in the manifest; try it in the service's query page first."
        }
        if clues.has("offlinedisabled", "offline use") {
            return "Ask the map's owner to allow offline use in the item's settings."
        }
        if clues.has("how its tiles are laid out") {
            return "Exclude the layer in the manifest, or ask the service's owner to repair its tiling scheme."
        }
        if clues.has("unknown spatial reference") {
            return
                "PROJ has no spatial reference of that number or text: correct it where it stands, in the manifest or at the service, "
                + "or exclude the layer in the manifest."
        }
        if clues.has("nothing of the map can be taken offline") {
            return
                "`offline-batch inspect MAP` gives the reason for each layer; add a layer to the map that can go offline, or "
                + "give `services` in the manifest."
        }
        if clues.has("another run owns") { return "Wait until the other run has ended, or stop it; it was left alone." }
        switch failure.phase {
        case .plan: return "Correct the manifest as the message says; nothing was started."
        case .metadata: return failure.kind == .transient ? nil : "Open the service's URL in a browser to see what it answers."
        case .submit where failure.kind == .permanent:
            return
                "The server refused the request: `offline-batch plan -v` shows all parameters sent; compare them with the details above."
        case _ where failure.kind == .serverJob, .poll where failure.kind == .permanent:
            return
                "The server's own job failed: its log knows more; run again, and if it fails again try a smaller area, fewer layers, or "
                + "levels that are less deep: not every level that a service names can be exported."
        case .package, .publish: return "Check the output folder, then run the same command again: nothing is downloaded twice."
        default: return nil
        }
    }
}
