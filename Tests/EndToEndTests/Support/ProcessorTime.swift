import TestSupport

extension Workspace {
    /// Runs `offline-batch` to its end, and measures the time that it had a processor: other work on the machine does not stretch it, as
    /// it does the time on the wall, which `Benchmarks` has.
    func timed(
        _ arguments: [String], variables extra: [String: String] = [:]
    ) async throws -> (ending: RunningProgram.Ending, processor: Duration) {
        let shell = try RunningProgram(
            "/bin/bash", ["-c", "TIMEFORMAT='%U %S'; time \"$0\" \"$@\"", Binaries.offlineBatch] + arguments,
            environment: variables.merging(extra) { $1 }, folder: folder.path)
        let ending = await shell.wait()
        let times = ending.stderr.split(whereSeparator: \.isWhitespace).suffix(2).compactMap { Double($0) }
        guard times.count == 2 else { throw NotTimed(words: ending.stderr) }
        return (ending, .seconds(times[0] + times[1]))
    }

    struct NotTimed: Error { var words: String }
}
