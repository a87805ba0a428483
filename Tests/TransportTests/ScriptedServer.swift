import Foundation
import Glibc
import Synchronization

/// A small HTTP/1.1 server on plain sockets: it answers what a script says, byte by byte if need be, and remembers what it got.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        var connection: Int
        var method: String
        var target: String
        /// Lower-case names.
        var headers: [String: String]
        var body: String
    }

    enum Step: Sendable {
        case send(String)
        case bytes([UInt8])
        case pause(milliseconds: Int)
        /// Closes the connection.
        case close
        /// Closes it with RST instead of FIN.
        case reset
        /// Says nothing more until the client goes away.
        case hold
    }

    typealias Script = @Sendable (Request) -> [Step]

    private struct State {
        var requests: [Request] = []
        var connections = 0
        var busy = 0
        var mostBusy = 0
        var goneWhileHolding = 0
    }

    let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    /// `greeting` goes out to every connection before anything is read.
    init(greeting: String? = nil, _ script: @escaping Script) throws {
        // Closed on exec: a program that another test starts would hold a connection open that is closed here.
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(listener, plain, length) + listen(listener, 64) + getsockname(listener, plain, &length)
            }
        }
        self.listener = listener
        guard bound == 0 else { throw POSIXError(.EADDRINUSE) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                if client < 0 { return }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                Thread { [weak self] in
                    if let greeting { _ = Self.write(client, Array(greeting.utf8)) }
                    Self.serve(client, script, self)
                }.start()
            }
        }.start()
    }

    deinit {
        Glibc.shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    var requests: [Request] { state.withLock { $0.requests } }
    var connections: Int { state.withLock { $0.connections } }
    /// The most requests that were being answered at one moment.
    var mostBusy: Int { state.withLock { $0.mostBusy } }
    var goneWhileHolding: Int { state.withLock { $0.goneWhileHolding } }

    func url(_ target: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(target)" }

    private static func serve(_ client: Int32, _ script: Script, _ server: ScriptedServer?) {
        defer { close(client) }
        let number = server?.state.withLock { state -> Int in
            state.connections += 1
            return state.connections
        }
        var buffer: [UInt8] = []
        while let request = read(client, &buffer, connection: number ?? 0) {
            server?.state.withLock { state in
                state.requests.append(request)
                state.busy += 1
                state.mostBusy = max(state.mostBusy, state.busy)
            }
            defer { server?.state.withLock { $0.busy -= 1 } }
            for step in script(request) {
                switch step {
                case .send(let text): if !write(client, Array(text.utf8)) { return }
                case .bytes(let bytes): if !write(client, bytes) { return }
                case .pause(let milliseconds): usleep(UInt32(milliseconds) * 1000)
                case .close: return
                case .reset:
                    var linger = linger(l_onoff: 1, l_linger: 0)
                    setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
                    return
                case .hold:
                    var byte: UInt8 = 0
                    while recv(client, &byte, 1, 0) > 0 {}
                    server?.state.withLock { $0.goneWhileHolding += 1 }
                    return
                }
            }
        }
    }

    private static func read(_ client: Int32, _ buffer: inout [UInt8], connection: Int) -> Request? {
        var request: Request?
        while true {
            if request == nil, let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                let words = lines[0].split(separator: " ").map(String.init)
                var headers: [String: String] = [:]
                for line in lines.dropFirst() {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
                }
                request = Request(connection: connection, method: words[0], target: words[1], headers: headers, body: "")
                buffer.removeSubrange(..<end.upperBound)
            }
            if var whole = request {
                let length = Int(whole.headers["content-length"] ?? "0") ?? 0
                if buffer.count >= length {
                    whole.body = String(decoding: buffer[..<length], as: UTF8.self)
                    buffer.removeSubrange(..<length)
                    return whole
                }
            }
            var piece = [UInt8](repeating: 0, count: 65536)
            let count = recv(client, &piece, piece.count, 0)
            if count <= 0 { return nil }
            buffer += piece[..<count]
        }
    }

    private static func write(_ client: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension [ScriptedServer.Step] {
    static func reply(_ status: Int = 200, _ headers: [String] = [], _ body: String = "") -> Self {
        let head = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)"] + headers
        return [.send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)]
    }
}
