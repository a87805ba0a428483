import Basics
import Execution
import Foundation
import Glibc
import Manifest
import Packaging
import Planning
import Reporting

/// Folders, space, links, state, lock and maps of one manifest. Asks no network, changes nothing but a file that it removes
/// again. Blocks.
struct DiskCheck {
    var output: String
    var stateDirectory: String

    func findings() -> [Finding] {
        let folders = [output, stateDirectory].map(folder)
        let areWritable = folders.allSatisfy { $0.grade == .good }
        return folders + open() + [space(output)] + (isElsewhere ? [space(stateDirectory)] : []) + (areWritable ? links() : [])
            + state()
            + maps()
    }

    // MARK: - Folders

    private func folder(_ path: String) -> Finding {
        let place = existing(path)
        if place != path {
            // A run makes the folder if it may.
            let mayMake = access(place, W_OK | X_OK) == 0
            return .folder(path: path, exists: false, problem: mayMake ? nil : "\(place): \(Self.reason(errno))")
        }
        guard Files.isDirectory(path) else { return .folder(path: path, exists: true, problem: "it is no folder") }
        // Asking for permissions is not enough: read-only file systems and quotas show when something is written.
        let probe = "\(path)/.doctor.\(getpid())"
        do throws(SystemError) {
            try Files.writeAtomically(Array("probe".utf8), to: probe)
            try Files.remove(probe)
            return .folder(path: path, exists: true, problem: nil)
        } catch {
            try? Files.remove(probe)
            return .folder(path: path, exists: true, problem: error.message)
        }
    }

    /// Who may replace files of the state decides what the next run does; maps may be anybody's whom the folder lets in, but not the
    /// whole world's.
    private func open() -> [Finding] {
        [(stateDirectory, UInt32(0o022)), (output, 0o002)].compactMap { path, mask in
            // Through a link: the folder itself counts. In a sticky one nobody replaces the files of others.
            guard let mode = Files.mode(path), mode & mask != 0, mode & 0o1000 == 0 else { return nil }
            return .openFolder(path: path, mode: mode)
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// The path or its nearest parent that is there.
    private func existing(_ path: String) -> String {
        var path = path
        while !Files.exists(path), path != "/", !path.isEmpty { path = Paths.parent(path) }
        return path.isEmpty ? "/" : path
    }

    private var isElsewhere: Bool {
        let devices = [output, stateDirectory].map { try? FileStatus.of(existing($0)).identity.device }
        return devices[0] != devices[1]
    }

    private func space(_ path: String) -> Finding {
        do throws(SystemError) {
            return .space(path: path, free: try Files.freeSpace(at: existing(path)), needed: SpaceNeed.lastNight(output: output))
        } catch {
            return .folder(path: path, exists: true, problem: error.message)
        }
    }

    private func links() -> [Finding] {
        guard Files.isDirectory(output), Files.isDirectory(stateDirectory) else { return [] }
        let (source, target) = ("\(stateDirectory)/.doctor.\(getpid()).link", "\(output)/.doctor.\(getpid()).link")
        defer { for path in [source, target] { try? Files.remove(path) } }
        do throws(SystemError) {
            try Files.writeAtomically([], to: source)
            let problem = link(source, target) == 0 ? nil : Self.reason(errno)
            return [.links(from: stateDirectory, to: output, problem: problem)]
        } catch {
            return [.links(from: stateDirectory, to: output, problem: error.message)]
        }
    }

    // MARK: - State

    private func state() -> [Finding] {
        let path = stateDirectory + "/state.db"
        if Files.isAbsent(path) { return [.noState] }
        return [.state(path: path, problem: SQLiteStateStore.problem(of: path)), .lock(lock())] + leftovers()
    }

    private func lock() -> Finding.LockState {
        // A run holds both; one of another state holds that of the output alone.
        var standing = RunLock.standing(path: stateDirectory + "/lock")
        if standing == .free { standing = RunLock.standing(path: output + "/.lock") }
        return switch standing {
        case .free: .free
        case .held(let holder): .held(pid: holder?.pid ?? 0, host: holder?.host ?? "?", since: holder?.started ?? .distantPast)
        case .abandoned(let holder): .abandoned(pid: holder.pid, host: holder.host, since: holder.started)
        }
    }

    private func leftovers() -> [Finding] {
        let folder = OutputFolder(output)
        let stages = ((try? folder.areas()) ?? []).reduce(0) { $0 + folder.generations(of: $1).stages.count }
        let partial = stateDirectory + "/partial"
        let downloads = ((try? Files.list(partial)) ?? []).filter { $0.hasSuffix(".download") }
        let bytes = downloads.reduce(0) { $0 + ((try? FileStatus.of("\(partial)/\($1)").diskBytes) ?? 0) }
        return [.leftovers(stages: stages, downloads: downloads.count, bytes: bytes)]
    }

    // MARK: - Maps

    private func maps() -> [Finding] {
        let folder = OutputFolder(output)
        let all: [[Generation]]
        do throws(SystemError) {
            var areas: [[Generation]] = []
            for area in try folder.areas() { areas.append(try folder.generations(of: area).list()) }
            all = areas
        } catch {
            return [.folder(path: output, exists: true, problem: error.message)]
        }
        let maps = all.flatMap { $0 }
        let whole = maps.count(where: \.isWhole)
        return (whole > 0 ? [.maps(whole: whole)] : [])
            + maps.filter { $0.isOurs && !$0.isWhole }.map { .damagedMap($0) }
            + maps.filter { !$0.isOurs }.map { .strangeFolder($0) }
            + all.compactMap { area in
                let own = area.filter(\.isOurs)
                return own.isEmpty || own.contains(where: \.isCurrent)
                    ? nil : .nothingCurrent(area: own[0].area, maps: own.count)
            }
    }
}
