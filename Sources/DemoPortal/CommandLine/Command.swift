import Basics
import Foundation

/// `demo-portal` from its arguments to its exit code: 0 after SIGTERM or SIGINT, 64 for a wrong command line, 66 for a file that
/// cannot be used, 69 when the port cannot be had.
public enum DemoPortalCommand {
    public static func run(_ words: [String]) -> Int32 {
        var arguments: DemoPortalArguments
        do throws(DemoPortalArguments.UsageError) { arguments = try DemoPortalArguments(words) } catch {
            complain("\(error.message)\nTry demo-portal --help.")
            return 64
        }
        if arguments.wantsHelp {
            print(DemoPortalArguments.help)
            return 0
        }
        // Blocked before any thread starts, so that only the wait below gets them.
        let signals = StopSignals()
        let portal: DemoPortal
        do {
            if let file = arguments.faultsFile { arguments.configuration.faults = try text(file) }
            if let file = arguments.usersFile { arguments.configuration.users = try text(file) }
            if let file = arguments.certificateFile { arguments.configuration.tlsCertificate = try text(file) }
            if let file = arguments.keyFile { arguments.configuration.tlsKey = try text(file) }
            portal = try DemoPortal(arguments.configuration)
        } catch {
            complain(message(error))
            return 66
        }
        do {
            let addresses = try portal.start()
            if let file = arguments.readyFile { try writeReady(addresses, to: file) }
            FileHandle.standardOutput.write(Data("demo-portal: \(addresses.portal)\n".utf8))
        } catch {
            complain(message(error))
            portal.stop()
            return error is ConfigurationError ? 66 : 69
        }
        while signals.wait() == SIGHUP { reloadFaults(portal, arguments.faultsFile) }
        portal.stop()
        if let file = arguments.readyFile { try? Files.remove(file) }
        return 0
    }

    /// SIGHUP: the file of faults is read again; one that cannot be used changes nothing.
    private static func reloadFaults(_ portal: DemoPortal, _ file: String?) {
        guard let file else { return }
        do { try portal.setFaults(try text(file)) } catch { complain(message(error)) }
    }

    private static func writeReady(_ addresses: DemoPortal.Addresses, to file: String) throws(SystemError) {
        let ready: JSON = [
            "portal": .string(addresses.portal), "server": .string(addresses.server), "port": JSON(addresses.port),
        ]
        try Files.writeAtomically(Array((ready.serialized() + "\n").utf8), to: file)
    }

    private static func text(_ file: String) throws -> String { String(decoding: try Files.read(file), as: UTF8.self) }

    private static func message(_ error: any Error) -> String {
        switch error {
        case let error as ConfigurationError: error.message
        case let error as SystemError: "\(error.path): \(error.message)"
        case let error as Daemon.StartError: error.message
        default: "\(error)"
        }
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("demo-portal: \(text)\n".utf8))
    }
}

/// SIGTERM, SIGINT and SIGHUP, taken by one waiting thread instead of a handler.
private struct StopSignals {
    private var set = sigset_t()

    init() {
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A client that goes away must not end the portal.
        signal(SIGPIPE, SIG_IGN)
    }

    func wait() -> Int32 {
        var set = set
        var number: Int32 = 0
        sigwait(&set, &number)
        return number
    }
}
