import Glibc

/// Where the bytes of an answer go. Called by the engine's thread only, in order: `receive` after the head is complete.
protocol BodySink: AnyObject {
    /// False stops the exchange; `failure` then says why.
    func receive(_ bytes: UnsafeRawBufferPointer, head: ResponseHead) -> Bool
    var failure: SinkFailure? { get }
}

struct SinkFailure {
    var kind: TransportError.Kind
    var message: String
    var systemCode: Int32?
}

/// Keeps the body in memory, up to a limit.
final class MemorySink: BodySink {
    private(set) var bytes: [UInt8] = []
    private(set) var failure: SinkFailure?
    private let limit: Int
    private let cutsAtLimit: Bool

    /// `cutsAtLimit` keeps the beginning and lets the rest go by.
    init(limit: Int, cutsAtLimit: Bool = false) {
        self.limit = limit
        self.cutsAtLimit = cutsAtLimit
    }

    func receive(_ piece: UnsafeRawBufferPointer, head: ResponseHead) -> Bool {
        if bytes.count + piece.count > limit {
            if cutsAtLimit {
                bytes.append(contentsOf: piece.prefix(limit - bytes.count))
                return true
            }
            failure = SinkFailure(kind: .tooLarge, message: "The body is over the limit of \(limit) bytes.")
            return false
        }
        if bytes.isEmpty, let length = head.headers["Content-Length"].flatMap({ Int($0) }) {
            bytes.reserveCapacity(min(max(length, 0), limit))
        }
        bytes.append(contentsOf: piece)
        return true
    }
}
