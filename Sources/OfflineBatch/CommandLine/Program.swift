import Basics
import Planning
import Reporting

/// The program, without its process: arguments and environment in, exit code out.
public enum OfflineBatch {
    public static let version = "0.1.0"

    public static func main(
        arguments: [String], environment: Environment = .process, engine: Engine = .live
    ) async -> Int32 {
        let tree = CommandTree.offlineBatch
        do throws(UsageProblem) {
            return try await perform(tree.parse(arguments), arguments, environment, engine).exitCode
        } catch {
            let isBare = error == .noCommand
            let page = Page(ink: .plain, zone: .gmt)
            environment.errors.write(
                lines: isBare ? HelpText.lines(for: tree, page: page) : UsageText.lines(for: error, tree: tree))
            return Outcome.usage.exitCode
        }
    }

    private static func perform(
        _ request: Request, _ words: [String], _ environment: Environment, _ engine: Engine
    ) async throws(UsageProblem) -> Outcome {
        let tree = CommandTree.offlineBatch
        switch request {
        case .version:
            environment.output.write(lines: ["\(tree.name) \(version)"])
            return .ok
        case .help(let name):
            let choice = OutputChoice(
                variables: environment.variables, outputIsTerminal: environment.outputIsTerminal,
                errorsAreTerminal: environment.errorsAreTerminal)
            let page = Page(ink: Ink(isEnabled: choice.colourOnOutput), zone: .gmt)
            let spec = name.flatMap(tree.command)
            environment.output.write(
                lines: spec.map { HelpText.lines(for: $0, tree: tree, page: page) } ?? HelpText.lines(for: tree, page: page))
            return .ok
        case .run(let name, let arguments):
            guard let command = Command.all.first(where: { $0.spec.name == name }) else {
                throw .unknownCommand(name, nearest: nil)
            }
            return try await command.run(
                Invocation(command: name, arguments: arguments, environment: environment, engine: engine, words: words))
        }
    }
}
