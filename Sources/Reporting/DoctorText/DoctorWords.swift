import Basics
import Foundation
import Planning

extension Finding {
    /// What was looked at: a short name that programs may rely on.
    public var subject: String {
        switch self {
        case .libraries: "libraries"
        case .projections: "projections"
        case .authorities: "authorities"
        case .zone: "zone"
        case .folder, .openFolder: "folder"
        case .space: "space"
        case .links: "links"
        case .noState, .state: "state"
        case .lock: "lock"
        case .maps, .damagedMap, .nothingCurrent, .strangeFolder, .retiredAreas: "maps"
        case .leftovers: "leftovers"
        case .secrets, .shortSecrets: "secrets"
        case .notAsked, .portal, .unreachable: "portal"
        case .clock: "clock"
        case .replicas, .strayReplicas, .replicasUnknown: "replicas"
        }
    }

    /// What was found.
    func message(in zone: TimeZone) -> String {
        switch self {
        case .libraries(let all): all.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
        case .projections(true, _): "PROJ finds its database and transforms coordinates"
        case .projections(false, let reason): "PROJ cannot transform coordinates: \(reason)"
        case .authorities(let found?, _): "certificate authorities in \(found)"
        case .authorities(nil, let looked):
            "no certificate authorities: none of \(looked.joined(separator: ", ")) is there"
        case .zone(let name): "local times are those of \(name)"
        case .folder(let path, true, nil): "\(path) is writable"
        case .folder(let path, false, nil): "\(path) is not there yet; a run makes it"
        case .folder(let path, _, let problem?): "\(path) cannot be written: \(problem)"
        case .openFolder(let path, let mode): "others may put and replace files in \(path) (mode \(String(mode, radix: 8)))"
        case .space(let path, let free, let needed):
            "\(Quantity.bytes(free)) free for \(path)"
                + (needed.map { "; the maps of one night took \(Quantity.bytes($0))" } ?? "")
        case .links(let from, let to, nil): "files go from \(from) to \(to) as hard links: they take no space twice"
        case .links(let from, let to, let problem?):
            "files cannot be linked from \(from) to \(to), so they are copied: \(problem)"
        case .noState: "no run has been here yet"
        case .state(let path, nil): "\(path) is sound"
        case .state(let path, let problem?): "\(path): \(problem)"
        case .lock(.free): "no run is at work"
        case .lock(.held(let pid, let host, let since)):
            "a run is at work: process \(pid) on \(host), since \(Moment.local(since, in: zone))"
        case .lock(.abandoned(let pid, let host, let since)):
            "the run of process \(pid) on \(host), begun \(Moment.local(since, in: zone)), ended without finishing; the next goes on"
        case .maps(let count): "\(Quantity.count(count, "undamaged map"))"
        case .damagedMap(let map):
            "\(map.area) \(map.name)\(map.isCurrent ? ", which is current," : "") is \(Wording.condition(of: map))"
        case .nothingCurrent(let area, let maps):
            "\(area) has \(Quantity.count(maps, "map")), and `current` leads to none"
        case .strangeFolder(let map): "\(map.path) is \(Wording.condition(of: map))"
        case .retiredAreas(let areas, _):
            "\(ToDo.names(areas)): no area of the manifest any more; what is out is not kept up to date"
        case .leftovers(let stages, let downloads, let bytes):
            stages + downloads == 0
                ? "no half-built map or download"
                : "\(Quantity.count(stages, "half-built map")), \(Quantity.count(downloads, "download")) under way, "
                    + "\(Quantity.bytes(bytes)); the next run uses or removes them"
        case .secrets(nil): "every secret of the manifest can be had"
        case .secrets(let problem?): problem
        case .shortSecrets(let references):
            "\(references.joined(separator: ", ")): shorter than \(KnownSecrets.minimumLength) characters; so short a value is masked only "
                + "where it stands alone, not within other words"
        case .notAsked: "no server was asked (--offline)"
        case .portal(let url, let who):
            "\(url) answers" + (who.map { "; we are \($0)" } ?? "; we are anonymous, as the manifest says")
        case .unreachable(let failure): Wording.summary(of: failure)
        case .clock(let ahead):
            abs(ahead) < 2
                ? "this machine's clock agrees with the portal's"
                : "this machine's clock is \(Quantity.duration(abs(ahead))) \(ahead > 0 ? "ahead of" : "behind") the portal's"
        case .replicas(let kept, let leftOver):
            "\(Quantity.count(kept, "replica")) of ours for synchronisation"
                + (leftOver > 0 ? ", \(leftOver) more that no map needs" : "")
        case .strayReplicas(let service, let names):
            "\(service) has \(Quantity.count(names.count, "replica")) of names that this manifest gives, not on record here: "
                + names.prefix(5).joined(separator: ", ")
        case .replicasUnknown(let service, let failure):
            "\(service) does not tell its replicas: \(Wording.summary(of: failure))"
        }
    }

    /// What to do about it; nil when nothing is to be done.
    func next(manifest: String?) -> String? {
        let manifest = manifest ?? "MANIFEST"
        switch self {
        case .projections(false, _): return "Install PROJ's data (Debian: proj-data), or set PROJ_DATA to the folder of proj.db."
        case .authorities(nil, _):
            return
                "Install them (Debian: ca-certificates), set SSL_CERT_FILE, or name a file by portal.tls.caFile in the manifest."
        case .folder(_, _, _?):
            return
                "Make it writable for the user that runs offline-batch (`chown`), or choose another: output.directory, --state."
        case .openFolder(let path, _): return "Close it: `chmod go-w \(path)`."
        case .space(_, let free, let needed) where free < needed ?? 0:
            return
                "Free space, or keep fewer maps: `offline-batch prune --dry-run \(manifest)` shows what output.keep would free."
        case .space(_, let free, _) where free < 1_000_000_000: return "Watch it: a full disk ends a run with 73."
        case .links(_, _, _?): return "Put the state on the file system of the output (leave out --state) to need the space once."
        case .state(_, _?):
            return
                "Move `state.db` aside and run again: published maps stay; what was half done is done anew. If it was written by "
                + "a newer version, install that."
        case .damagedMap(let map):
            return map.isCurrent
                ? "`offline-batch rollback \(map.area) \(manifest)` goes back to a whole one; a run makes it anew."
                : "Nothing needs it; it goes in its turn. `offline-batch verify \(manifest)` reads the others."
        case .nothingCurrent(let area, _):
            return "`offline-batch rollback \(area) \(manifest)` makes the newest complete one current."
        case .retiredAreas(let areas, let output):
            return areas.count == 1
                ? "Remove \(output)/\(areas[0]) when nobody uses it; the next run unregisters replicas that only it needed."
                : "Remove their folders in \(output) when nobody uses them; the next run unregisters replicas that only they needed."
        case .strangeFolder: return "Nothing: no command touches it. Remove it by hand when it is nobody's."
        case .secrets(_?): return "Correct the reference in the manifest, or what it leads to."
        case .shortSecrets:
            return "Use longer ones: of \(KnownSecrets.minimumLength) characters and more no trace is left in any text."
        case .unreachable(let failure): return Wording.nextStep(for: failure)
        case .clock(let ahead) where abs(ahead) > Self.tolerableSkew:
            return "Set the clock (`timedatectl set-ntp true`): certificates and tokens depend on it."
        case .replicas(_, let leftOver) where leftOver > 0:
            return "The next run unregisters them; `offline-batch prune \(manifest)` does it now."
        case .strayReplicas:
            return "If no other machine runs this manifest, a run died just then: have the service's owner unregister them."
        case .replicasUnknown(_, let failure): return Wording.nextStep(for: failure)
        default: return nil
        }
    }
}
