import Basics
import Execution
import Foundation
import Packaging
import Planning
import Reporting

extension Command {
    static let rollback = Command(
        spec: CommandSpec(
            name: "rollback", summary: "makes an older map of an area current again",
            examples: [
                Example(
                    "offline-batch rollback downtown manifests/naperville.yaml",
                    "To the newest complete map before the current one."),
                Example(
                    "offline-batch rollback downtown --to 2026-11-28T06:00 manifests/naperville.yaml",
                    "To the newest complete map made at that time or before; local time."),
                Example(
                    "offline-batch rollback downtown --to 20261127T021500Z manifests/naperville.yaml",
                    "To the map of this name; a newer one, too."),
            ],
            discussion: [
                "The map is read from end to end first; a damaged one does not become current. `current` moves in one step. `status` "
                    + "tells the age of the older map from then on. The next run that publishes the area moves on, and says so."
            ],
            positionals: [PositionalSpec(name: "AREA", help: "The area.", completion: .none), .manifest],
            options: [
                OptionSpec(
                    long: "to", value: "TIME",
                    help: "A map's name, a day (2026-11-28: to its end) or a local time (2026-11-28T06:00)."),
                .state, .noColour,
            ],
            outcomes: [.ok, .manifest, .refused, .storage, .locked]),
        run: { (call) throws(UsageProblem) in
            let target = try target(call)
            guard let manifest = await call.loadManifest(at: 1) else { return .manifest }
            let rollback = MapRollback(
                output: manifest.output.directory, stateDirectory: call.stateDirectory(manifest),
                area: call.arguments.positionals[0])
            do throws(RunStop) {
                let change = try await rollback(to: target, now: call.environment.now())
                call.environment.output.write(lines: RollbackText(from: change.from, to: change.to, page: call.page).lines)
                return .ok
            } catch {
                return call.refuse("\(manifest.name): \(rollback.area) stays as it is", CommandStop(error))
            }
        })

    private static func target(_ call: Invocation) throws(UsageProblem) -> RollbackTarget {
        guard let text = call.arguments.value("to") else { return .previous }
        if Generations.time(of: text) != nil { return .name(text) }
        let parts = text.split { $0 == " " || $0 == "T" }.map(String.init)
        let numbers = (parts.first ?? "").split(separator: "-").compactMap { Int($0) }
        let time = parts.count > 1 ? LocalTime(parts[1]) : LocalTime(hour: 23, minute: 59, second: 59)
        guard numbers.count == 3, (1...2).contains(parts.count), let time else { throw badTime(text, call) }
        let day = LocalDay(year: numbers[0], month: numbers[1], day: numbers[2])
        guard day.exists else { throw badTime(text, call) }
        return .notAfter(time.moment(on: day, in: call.environment.zone()))
    }

    private static func badTime(_ text: String, _ call: Invocation) -> UsageProblem {
        .badValue(
            option: "--to", value: text, expected: "a map's name, a day such as 2026-11-28, or 2026-11-28T06:00",
            command: call.command)
    }
}
