import Dispatch
import Glibc

/// SIGINT and SIGTERM as a stream: the first asks for an orderly end, the second ends the process at once (design chapter 6). What
/// is recorded is durable, so the second is safe too.
///
/// `@unchecked Sendable`: the sources are made in `init` and cancelled in `stop`; their handlers run on one serial queue.
final class SignalSource: @unchecked Sendable {
    let numbers: AsyncStream<Int32>
    private let send: AsyncStream<Int32>.Continuation
    private var sources: [any DispatchSourceSignal] = []

    init() {
        (numbers, send) = AsyncStream.makeStream()
        // A reader of the output who went away ends no run: the maps matter more than their audience.
        signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "offline-batch.signals")
        // Only handlers on `queue` touch it.
        nonisolated(unsafe) var count = 0
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [send] in
                count += 1
                if count > 1 { _exit(number == SIGTERM ? 143 : 130) }
                send.yield(number)
            }
            source.resume()
            sources.append(source)
        }
    }

    /// Signals stay ignored: all that is left to do is to write the report, which is written whatever happens.
    func stop() {
        for source in sources { source.cancel() }
        send.finish()
    }
}
