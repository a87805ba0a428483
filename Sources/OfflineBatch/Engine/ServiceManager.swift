import Basics
import Foundation
import Glibc

/// systemd, when it started us: state, status line and watchdog through the socket that it names.
///
/// The protocol is one datagram of `KEY=VALUE` lines (sd_notify(3), promised to be stable), so that no library is linked for it.
public struct ServiceManager: Sendable {
    private let address: [UInt8]
    /// How often it wants to hear from us; nil when it does not.
    public let watchdog: Duration?

    /// nil when no service manager listens.
    public init?(variables: [String: String], process: Int32 = getpid()) {
        guard let name = variables["NOTIFY_SOCKET"], name.hasPrefix("/") || name.hasPrefix("@") else { return nil }
        // A leading @ stands for the zero byte of an abstract name.
        address = Array(name.utf8).enumerated().map { $0.offset == 0 && $0.element == UInt8(ascii: "@") ? 0 : $0.element }
        let isForUs = variables["WATCHDOG_PID"].map { $0 == String(process) } ?? true
        let microseconds = variables["WATCHDOG_USEC"].flatMap(Int.init)
        watchdog = isForUs ? microseconds.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
    }

    /// Best effort, never blocks: a manager that does not listen must not hold up a run.
    public func send(_ lines: [String]) {
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &target.sun_path) { path in
            guard address.count < path.count else { return false }
            path.copyBytes(from: address)
            return true
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fits, descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(lines.joined(separator: "\n").utf8)
        let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + address.count)
        _ = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    descriptor, message, message.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, length)
            }
        }
    }

    /// Tells the watchdog twice in each of its intervals that the process still gets things done, until the task is cancelled. It
    /// runs where the steps of jobs run: when those threads are stuck, it is, too. Servers that hang are ended by their own limits.
    func feedWatchdog() async {
        guard let watchdog else { return }
        while !Task.isCancelled {
            send(["WATCHDOG=1"])
            try? await Task.sleep(for: watchdog / 2)
        }
    }
}
