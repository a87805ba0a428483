import Basics
import Foundation
import TestSupport
import Testing

@testable import OfflineBatch

@Suite struct ServiceManagerTests {
    /// Binds a datagram socket as a service manager does, says so, and prints what comes until it is told to stop.
    private static let listener = """
        import socket, sys
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        name = sys.argv[1]
        listener.bind("\\0" + name[1:] if name[0] == "@" else name)
        listener.settimeout(20)
        open(sys.argv[2], "w").write("ready")
        for _ in range(int(sys.argv[3])):
            print(listener.recv(4096).decode().replace("\\n", "|"), flush=True)
        """

    @Test(.enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)), arguments: ["/socket", "@"])
    func datagramsArrive(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        let name = kind == "@" ? "@offline-batch-\(UUID().uuidString)" : folder.path + kind
        async let heard = offPool { try PythonJudge.run(Self.listener, [name, folder.file("ready"), "2"]) }
        for _ in 0..<1000 where !Files.exists(folder.file("ready")) { try await Task.sleep(for: .milliseconds(10)) }
        let manager = try #require(ServiceManager(variables: ["NOTIFY_SOCKET": name]))
        manager.send(["READY=1", "STATUS=äh"])
        manager.send(["STOPPING=1"])
        #expect(try await heard.output == "READY=1|STATUS=äh\nSTOPPING=1\n")
    }

    @Test func nobodyListens() throws {
        #expect(ServiceManager(variables: [:]) == nil)
        #expect(ServiceManager(variables: ["NOTIFY_SOCKET": "vsock:2:1"]) == nil)
        let folder = try TemporaryFolder()
        // Neither a missing socket nor a name that is too long ends anything.
        ServiceManager(variables: ["NOTIFY_SOCKET": folder.file("none")])?.send(["READY=1"])
        ServiceManager(variables: ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)])?.send(["READY=1"])
    }

    @Test func theWatchdogMayBeForAnotherProcess() {
        func watchdog(_ variables: [String: String]) -> Duration? {
            ServiceManager(variables: variables.merging(["NOTIFY_SOCKET": "/s"]) { own, _ in own }, process: 7)?.watchdog
        }
        #expect(watchdog(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
        #expect(watchdog(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"]) == .seconds(30))
        #expect(watchdog(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"]) == nil)
        #expect(watchdog([:]) == nil)
        #expect(watchdog(["WATCHDOG_USEC": "0"]) == nil)
        #expect(watchdog(["WATCHDOG_USEC": "soon"]) == nil)
    }
}
