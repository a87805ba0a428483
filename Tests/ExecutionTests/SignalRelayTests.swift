import Testing

@testable import Execution

@Suite struct SignalRelayTests {
    /// Signals may be listened for longer than a run takes: what the relay's action holds must not live as long.
    @Test func aRelayGoesWithItsRun() {
        let (source, send) = AsyncStream<Int32>.makeStream()
        weak var seen: SignalRelay?
        func run() {
            let relay = SignalRelay(source)
            relay.onFirst { [relay] in _ = relay.signal }
            relay.onFirst(nil)
            seen = relay
        }
        run()
        #expect(seen == nil)
        send.finish()
    }

    @Test func aSignalThatCameEarlyIsNotLost() async {
        let (source, send) = AsyncStream<Int32>.makeStream()
        let relay = SignalRelay(source)
        send.yield(15)
        send.yield(2)
        send.finish()
        var signals = relay.signals.makeAsyncIterator()
        #expect(await signals.next() == 15)
        let (calls, call) = AsyncStream<Void>.makeStream()
        relay.onFirst { call.yield() }
        var heard = calls.makeAsyncIterator()
        #expect(await heard.next() != nil && relay.signal == 15)
        #expect(await signals.next() == 2)
    }
}
