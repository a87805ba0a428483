import Glibc

/// Runs another program, without a shell. What it says on standard error is not kept, for it may repeat a secret.
public enum ChildProcess {
    public enum Failure: Error, Hashable, Sendable {
        case notStarted(SystemError)
        /// As a shell tells it: 128 and the number for a signal.
        case failed(status: Int32)
        case timedOut(seconds: Int)
    }

    /// Blocks until the program ends or its time is over.
    /// - Parameters:
    ///   - input: the file that it reads as standard input; nil gives it nothing to read.
    ///   - limit: bytes of standard output that are kept, and one piece more, by which the caller sees that there was more.
    public static func run(
        _ words: [String], environment: [String: String], input: String? = nil, seconds: Int, limit: Int = 1 << 16
    ) throws(Failure) -> [UInt8] {
        let program = words.first ?? ""
        var ends: [Int32] = [0, 0]
        // A socket pair, since its ends are closed on exec from the start: no other child can hold them open.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw notStarted("socketpair", program, errno) }
        defer { close(ends[0]) }
        let started = spawn(words, environment, input: input, output: ends[1])
        close(ends[1])
        let process: pid_t
        switch started {
        case .success(let id): process = id
        case .failure(let error): throw error
        }
        let output = collect(ends[0], seconds: seconds, limit: limit)
        if output == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard let output else { throw .timedOut(seconds: seconds) }
        // WIFEXITED and WEXITSTATUS are macros; a signal is told as the shell tells it.
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        if code != 0 { throw .failed(status: code) }
        return output
    }

    private static func notStarted(_ call: String, _ program: String, _ code: Int32) -> Failure {
        .notStarted(SystemError(call: call, path: program, code: code))
    }

    private static func spawn(
        _ words: [String], _ environment: [String: String], input: String?, output: Int32
    ) -> Result<pid_t, Failure> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input ?? "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Not everything is closed on exec: libraries open sockets as they please. What is opened meanwhile may be among the next numbers.
        let highest = ((try? Files.list("/proc/self/fd")) ?? []).compactMap { Int32($0) }.max() ?? 1023
        for file in 3...(highest + 64) { posix_spawn_file_actions_addclose(&actions, file) }
        // Signals are the child's own matter: what this program ignores or blocks in its threads is not inherited.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, words.first ?? "", &actions, &attributes, &arguments, &variables)
        return code == 0 ? .success(process) : .failure(notStarted("posix_spawn", words.first ?? "", code))
    }

    /// Everything up to the end of the output; nil when the time is over.
    private static func collect(_ descriptor: Int32, seconds: Int, limit: Int) -> [UInt8]? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = (deadline - ContinuousClock.now).milliseconds
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = left > 0 ? poll(&wait, 1, Int32(left)) : 0
            if ready == 0 { return nil }
            if ready < 0 && errno == EINTR { continue }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return output }
            // One byte too many is enough to know that it is too long.
            if output.count <= limit { output += buffer[0..<count] }
        }
    }
}
