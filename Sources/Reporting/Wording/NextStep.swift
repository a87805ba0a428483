import Planning

extension Wording {
    /// The one thing to do about a failure, for the person who runs the batch. `job` sharpens the advice; nil for failures of a
    /// whole run.
    public static func nextStep(for failure: Failure, job: JobReport? = nil) -> String {
        let clues = Clues(failure)
        switch failure.kind {
        case .upstream: return "Solve the failure of the job that it waits for; the next run then makes this one too."
        case .cancelled: return "Run the same command again: it goes on where this run stopped."
        case .internal: return "This is a bug of offline-batch: please report it together with report.json."
        case .storage: return storageStep(clues)
        case .deadline: return deadlineStep(failure, job)
        case .verification: return verificationStep(clues)
        case .denied:
            return accessStep(failure, clues) ?? "Check the account that portal.auth in the manifest names, and what it may see."
        case .permanent where failure.phase == .publish:
            return "`offline-batch generations` lists the maps that are there; name one with `--to`."
        case .transient, .permanent, .serverJob:
            if clues.has("since the last good run") { return driftStep }
            if let step = filterStep(clues) { return step }
            return networkStep(clues) ?? limitStep(clues) ?? accessStep(failure, clues) ?? codeStep(failure, clues)
                ?? requestStep(failure, clues) ?? lastResort(failure)
        }
    }

    static let patience = "It may heal by itself: run the same command again; only what is missing is done."

    public static let driftStep =
        "Look whether map and services are as they should be. If the change is meant, run once with `--on-drift accept`: the new map "
        + "is what later nights compare with."

    /// Before all others: a clause may hold any word.
    private static func filterStep(_ clues: Clues) -> String? {
        if clues.has("where clause of the manifest") {
            return "Correct the `where` clause of this layer in the manifest; try it in the service's query page first."
        }
        if clues.has("filter of the web map") {
            return "Correct the layer's filter in the web map, or take all its rows with `options: { "
                + "isDefinitionExpressionFilterEnabled: false }` in the manifest."
        }
        return nil
    }

    private static func storageStep(_ clues: Clues) -> String {
        if clues.has("no space", "quota", "disk full", "database or disk is full") {
            return "Free space on the disk of the output and state folders (`df -h`), then run the same command again; "
                + "what was published before is untouched."
        }
        if clues.has("symbolic links") {
            return "A symbolic link stands in the place of a file of offline-batch: look who made it, remove it, and run again."
        }
        if clues.has("file exists", "is a directory", "not a directory") {
            return
                "Something that is not of offline-batch stands where a map goes: look whose it is, move it away, and run again."
        }
        if clues.has("malformed", "not a database", "corrupt") {
            return
                "The state file is damaged: move `state.db` in the state folder aside and run again; published maps stay as they are."
        }
        if clues.has("permission denied", "read-only", "readonly", "not permitted", "unable to open") {
            return "Make the output and state folders writable for the user that runs offline-batch, or choose others "
                + "(`output.directory`, `--state`)."
        }
        return "Check the disk of the output and state folders, then run the same command again."
    }

    private static func deadlineStep(_ failure: Failure, _ job: JobReport?) -> String {
        if failure.lastStatus?.word.lowercased().contains("attachment") == true {
            return "The server was still busy with attachments: leave them out (`attachments: false` for the layer, or "
                + "`options: { returnLayerAttachmentOption: none }`), or raise `limits.jobDeadline` in the manifest."
        }
        let lighter =
            job?.kind == .tiles || job?.kind == .vectorTiles
            ? "take fewer levels or a smaller area"
            : "make the area smaller, leave attachments out (`attachments: false`)"
        return "The server did not finish in the time allowed: raise `limits.jobDeadline` in the manifest, \(lighter), "
            + "or run when the server has less to do."
    }

    private static func verificationStep(_ clues: Clues) -> String {
        if clues.isHTML { return htmlStep }
        if clues.has(" rows", "row count", "feature count") {
            return
                "The data may have been edited during the export: run again. If the numbers differ again, compare them with the "
                + "service's own count for the same filter and tell the service's owner."
        }
        if clues.has("level", "tile") {
            return
                "Run again. If tiles are missing again, check that the service's cache is complete for this area and these levels."
        }
        return "Run again: the file is made and fetched anew. If it is damaged again, tell the service's owner."
    }

    private static let htmlStep =
        "A web page came instead of data: a sign-in page, a proxy's error page or a wrong address. Open the URL in a browser "
        + "from this machine to see which."

    private static func networkStep(_ clues: Clues) -> String? {
        if clues.isHTML { return htmlStep }
        if clues.has("could not resolve", "couldn't resolve", "name resolution", "name or service not known") {
            return "Check the host name in the address, and this machine's DNS (`getent hosts NAME`)."
        }
        if clues.has("certificate", "ssl", "tls") {
            return "Check this machine's clock and the server's certificate; a certificate of an own authority must be installed "
                + "(`update-ca-certificates`) or named by portal.tls.caFile in the manifest."
        }
        if clues.has("timed out", "timeout", "too slow") {
            return "The server did not answer in time: run the same command again later, or raise `limits.inactivityTimeout`."
        }
        if clues.has("proxy") { return "Check the proxy settings (HTTPS_PROXY, NO_PROXY) and whether the proxy wants a sign-in." }
        if clues.has(
            "connection refused", "failed to connect", "couldn't connect", "could not connect", "no route to host", "unreachable")
        {
            return "Check that the server is up and that a firewall lets this machine reach it, then run the same command again."
        }
        return nil
    }

    private static func limitStep(_ clues: Clues) -> String? {
        guard
            clues.has("maxexporttilescount", "exports at most")
                || (clues.has("tile") && clues.has("limit", "exceed", "maximum", "too many"))
        else {
            return nil
        }
        return
            "Take fewer levels (`levelIDs` or `scale`) or a smaller area, or ask the service's owner to raise maxExportTilesCount."
    }

    private static func lastResort(_ failure: Failure) -> String {
        failure.kind == .transient
            ? patience
            : "Run `offline-batch plan -v` to see the parameters that are sent; then correct the manifest, or exclude the layer."
    }
}

/// The words of a failure, to be searched for what libraries and servers are known to say.
struct Clues {
    private let text: String
    let isHTML: Bool

    init(_ failure: Failure) {
        // Addresses are no words of an error: hosts and paths may be called anything.
        let words = ([failure.message] + failure.details).flatMap { $0.split { $0.isWhitespace } }
        text = words.filter { !$0.hasPrefix("http://") && !$0.hasPrefix("https://") }.joined(separator: " ").lowercased()
        isHTML = text.contains("html") || text.contains("web page")
    }

    func has(_ words: String...) -> Bool { words.contains(where: text.contains) }
}
