import Basics
import Foundation
import Packaging
import Planning

/// Which map `rollback` goes to.
public enum RollbackTarget: Sendable, Equatable {
    /// The newest complete one that is older than the current one.
    case previous
    case name(String)
    /// The newest complete one made at this time or before.
    case notAfter(Date)
}

/// Makes an older map current again: chosen, read from end to end, recorded, and only then switched in one step.
public struct MapRollback: Sendable {
    public struct Change: Sendable, Equatable {
        /// nil when nothing was current.
        public var from: Generation?
        public var to: Generation
    }

    public var output: String
    public var stateDirectory: String
    public var area: String

    public init(output: String, stateDirectory: String, area: String) {
        self.output = output
        self.stateDirectory = stateDirectory
        self.area = area
    }

    public func callAsFunction(to target: RollbackTarget, now: Date) async throws(RunStop) -> Change {
        let lock = try RunLocks.hold(state: stateDirectory, output: output, now: now)
        defer { lock.release() }
        let generations = Generations(output: output, area: area)
        let all: [Generation]
        do throws(SystemError) {
            all = try await offPool { () throws(SystemError) in try generations.list() }
        } catch {
            throw RunStop(Failure(.publish, error))
        }
        if all.isEmpty { throw RunStop(PlanRefusal(problems: [noMaps()])) }
        let chosen: Generation
        do throws(Failure) {
            chosen = try Self.choose(target, of: all)
        } catch {
            throw RunStop(PlanRefusal(problems: [PlanProblem(area: area, failure: error)]))
        }
        let change = Change(from: all.first(where: \.isCurrent), to: chosen)
        if chosen.isCurrent { return change }
        try await check(chosen)
        do throws(SQLiteError) {
            let path = stateDirectory + "/state.db"
            let store = try await offPool { () throws(SQLiteError) in try SQLiteStateStore(path: path) }
            // First: a state that knows of a younger map than there is would tell monitoring that all is well.
            try await store.recordRollback(
                area: area, generation: chosen.path, published: chosen.time.timestamp, now: now.timestamp)
        } catch {
            throw RunStop(Failure(state: error))
        }
        do throws(SystemError) {
            try await offPool { () throws(SystemError) in try generations.makeCurrent(chosen.name) }
        } catch {
            throw RunStop(Failure(.publish, error))
        }
        return change
    }

    /// Most likely the name is mistyped.
    private func noMaps() -> PlanProblem {
        let others = (try? OutputFolder(output).areas()) ?? []
        return PlanProblem(
            area: area,
            failure: Failure(
                phase: .publish, kind: .permanent, message: "there is no map of an area \(area)",
                details: [others.isEmpty ? "no area has maps in \(output)" : "areas with maps: " + others.joined(separator: ", ")]
            ))
    }

    private func check(_ chosen: Generation) async throws(RunStop) {
        let folder = OutputFolder(output)
        let check = await offPool { () throws(Never) in
            var verifier = MapVerifier(folder)
            return verifier.verify(chosen)
        }
        if check.isWhole { return }
        throw RunStop(
            PlanRefusal(problems: [
                PlanProblem(
                    area: area,
                    failure: Failure(
                        phase: .publish, kind: .permanent,
                        message: "the map \(chosen.name) is damaged, so it does not become current",
                        details: check.damages.map(\.path)))
            ]))
    }

    /// Pure.
    static func choose(_ target: RollbackTarget, of all: [Generation]) throws(Failure) -> Generation {
        func refusal(_ message: String) -> Failure {
            let complete = all.filter(\.isComplete).map(\.name)
            let lacking = all.filter { $0.isWhole && !$0.isComplete }.map(\.name)
            return Failure(
                phase: .publish, kind: .permanent, message: message,
                details: [complete.isEmpty ? "no complete map is there" : "complete maps: " + complete.joined(separator: ", ")]
                    + (lacking.isEmpty ? [] : ["maps that lack a layer, for --to: " + lacking.joined(separator: ", ")]))
        }
        let complete = all.filter(\.isComplete)
        switch target {
        case .previous:
            let current = all.first(where: \.isCurrent)?.name
            guard let older = complete.last(where: { current == nil || $0.name < current! }) else {
                throw refusal("there is no complete map older than the current one")
            }
            return older
        case .name(let name):
            guard let named = all.first(where: { $0.name == name }) else { throw refusal("there is no map \(name)") }
            // Who names a map that lacks a layer means it.
            guard named.isWhole else { throw refusal("the map \(name) is \(named.isOurs ? "damaged" : "not known as ours")") }
            return named
        case .notAfter(let time):
            guard let older = complete.last(where: { $0.time <= time }) else {
                throw refusal("there is no complete map of \(Generations.name(of: time)) or before")
            }
            return older
        }
    }
}
