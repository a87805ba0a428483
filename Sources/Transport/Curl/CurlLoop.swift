import CLibcurl

/// What the engine's thread holds: running exchanges by handle, and those that wait for a free place at their origin.
struct CurlLoop {
    private let multi: UnsafeMutableRawPointer
    private let configuration: CurlConfiguration
    private var running: [UnsafeMutableRawPointer: CurlExchange] = [:]
    private var runningAtOrigin: [String: Int] = [:]
    private var waiting: [String: [CurlExchange]] = [:]
    private let clock = ContinuousClock()

    init(multi: UnsafeMutableRawPointer, configuration: CurlConfiguration) {
        self.multi = multi
        self.configuration = configuration
    }

    /// Waiting exchanges are not curl's yet, so none of their limits runs.
    mutating func start(_ exchange: CurlExchange) {
        if exchange.wasCancelled.load(ordering: .sequentiallyConsistent) {
            finish(exchange, with: exchange.error(.cancelled, "Cancelled before it started."))
        } else if runningAtOrigin[exchange.originKey, default: 0] >= max(1, configuration.connectionsPerHost) {
            waiting[exchange.originKey, default: []].append(exchange)
        } else {
            run(exchange)
        }
    }

    mutating func cancel(_ exchange: CurlExchange) {
        if let handle = exchange.handle, running[handle] != nil {
            end(exchange, with: exchange.error(.cancelled, "Cancelled."))
        } else if let index = waiting[exchange.originKey]?.firstIndex(where: { $0 === exchange }) {
            waiting[exchange.originKey]?.remove(at: index)
            if waiting[exchange.originKey]?.isEmpty ?? false { waiting[exchange.originKey] = nil }
            finish(exchange, with: exchange.error(.cancelled, "Cancelled."))
        }
    }

    mutating func cancelAll() {
        let left = waiting.values.flatMap { $0 } + Array(running.values)
        waiting = [:]
        for exchange in left {
            if exchange.handle == nil {
                finish(exchange, with: exchange.error(.cancelled, "The transport was shut down."))
            } else {
                end(exchange, with: exchange.error(.cancelled, "The transport was shut down."))
            }
        }
    }

    /// Moves everything that can move, then sleeps until a socket, a command or a limit calls.
    mutating func turn() {
        var count: Int32 = 0
        curl_multi_perform(multi, &count)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle, let exchange = running[handle]
            else { continue }
            end(exchange, with: exchange.error(ob_curl_message_result(message)))
        }
        var sleep = Duration.seconds(60)
        let now = clock.now
        for exchange in Array(running.values) {
            let (error, next) = exchange.overdue(at: now)
            if let error { end(exchange, with: error) }
            if let next { sleep = min(sleep, next) }
        }
        // Returns at once for exchanges that took a freed place: curl has work for them.
        curl_multi_poll(multi, nil, 0, Int32(max(0, min(sleep.milliseconds + 1, 60_000))), nil)
    }

    private mutating func run(_ exchange: CurlExchange) {
        guard let handle = exchange.open(configuration), curl_multi_add_handle(multi, handle) == CURLM_OK else {
            return finish(exchange, with: exchange.error(.other, exchange.obstacle))
        }
        running[handle] = exchange
        runningAtOrigin[exchange.originKey, default: 0] += 1
    }

    /// Takes a running exchange out and gives its place to the next in line.
    private mutating func end(_ exchange: CurlExchange, with error: TransportError?) {
        guard let handle = exchange.handle, running.removeValue(forKey: handle) != nil else { return }
        curl_multi_remove_handle(multi, handle)
        let key = exchange.originKey
        runningAtOrigin[key] = runningAtOrigin[key, default: 1] - 1
        if runningAtOrigin[key] == 0 { runningAtOrigin[key] = nil }
        finish(exchange, with: error)
        // A cancelled one gives its turn on.
        while runningAtOrigin[key, default: 0] < max(1, configuration.connectionsPerHost), var line = waiting[key] {
            let next = line.removeFirst()
            waiting[key] = line.isEmpty ? nil : line
            start(next)
        }
    }

    private func finish(_ exchange: CurlExchange, with error: TransportError?) {
        exchange.close()
        let resume = exchange.resume
        exchange.resume = nil
        resume?(error)
    }
}
