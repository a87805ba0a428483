import Basics
import CLibcurl
import Foundation
import Synchronization

/// One multi interface on a thread of its own. Tasks put commands into an inbox and wake the thread; everything else, and all of
/// libcurl, happens there.
final class CurlEngine: Sendable {
    private struct Inbox {
        var commands: [Command] = []
        /// Nil once the thread is done with it; waking is only allowed before.
        var multi: Multi?
        var accepts = true
    }

    private enum Command {
        case start(CurlExchange)
        case cancel(CurlExchange)
    }

    /// Unchecked: the pointer is used by the engine's thread, and by others for `curl_multi_wakeup` alone, which libcurl allows
    /// from any thread; the inbox lock keeps that from happening after the end.
    private struct Multi: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    /// Global state, once and before any thread of ours.
    private static let globalInit: Void = { curl_global_init(Int(CURL_GLOBAL_ALL)) }()

    private let inbox = Mutex(Inbox())

    init(_ configuration: CurlConfiguration) {
        _ = Self.globalInit
        guard let pointer = curl_multi_init() else {
            inbox.withLock { $0.accepts = false }
            return
        }
        ob_curl_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
        ob_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, configuration.idleConnections)
        ob_curl_multi_set_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        let multi = Multi(pointer: pointer)
        inbox.withLock { $0.multi = multi }
        let thread = Thread { [self] in
            Self.blockBrokenPipeSignal()
            var loop = CurlLoop(multi: multi.pointer, configuration: configuration)
            while true {
                let (commands, accepts) = inbox.withLock { inbox in
                    defer { inbox.commands = [] }
                    return (inbox.commands, inbox.accepts)
                }
                for command in commands {
                    switch command {
                    case .start(let exchange): loop.start(exchange)
                    case .cancel(let exchange): loop.cancel(exchange)
                    }
                }
                if !accepts { break }
                loop.turn()
            }
            loop.cancelAll()
            inbox.withLock { $0.multi = nil }
            curl_multi_cleanup(multi.pointer)
        }
        thread.name = "curl"
        thread.start()
    }

    /// OpenSSL writes to closed sockets like anyone else, and the signal that follows would end the process. It goes to the
    /// thread that wrote, so blocking it here is enough; curl then sees EPIPE.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Runs the exchange to its end. The exchange is the engine's until this returns.
    func perform(_ exchange: CurlExchange) async -> TransportError? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.resume = { continuation.resume(returning: $0) }
                if !post(.start(exchange)) { exchange.resume?(exchange.error(.cancelled, "The transport was shut down.")) }
            }
        } onCancel: {
            // The flag also reaches an exchange that is not in the inbox yet.
            exchange.wasCancelled.store(true, ordering: .sequentiallyConsistent)
            _ = post(.cancel(exchange))
        }
    }

    /// Ends all exchanges as cancelled and closes the connections. Later ones fail.
    func shutdown() {
        inbox.withLock { inbox in
            inbox.accepts = false
            if let multi = inbox.multi { curl_multi_wakeup(multi.pointer) }
        }
    }

    private func post(_ command: Command) -> Bool {
        inbox.withLock { inbox in
            guard inbox.accepts, let multi = inbox.multi else { return false }
            inbox.commands.append(command)
            curl_multi_wakeup(multi.pointer)
            return true
        }
    }
}
