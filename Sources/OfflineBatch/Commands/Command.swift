import Planning

/// A command: its specification, and what it does. Options in, outcome out; the work is in the modules below.
struct Command: Sendable {
    var spec: CommandSpec
    /// Throws for mistakes of the command line that only show when values are read.
    var run: @Sendable (Invocation) async throws(UsageProblem) -> Outcome

    /// In the order of the help screen.
    static let all: [Command] = [
        .validate, .plan, .run, .status, .inspect, .lint, .generations, .rollback, .verify, .prune, .replicas, .doctor, .schedule,
        .schema, .version,
        .completion,
    ]
}

extension CommandTree {
    public static let offlineBatch = CommandTree(
        name: "offline-batch", summary: "takes ArcGIS web maps offline, area by area, night after night",
        commands: Command.all.map(\.spec))
}
