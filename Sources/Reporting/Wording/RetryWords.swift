import Transport

extension Wording {
    /// A request that is tried again: what was asked, why it failed, when the next try is. Who waits must know for what.
    public static func words(for notice: RetryNotice) -> String {
        "\(notice.url): \(reason(notice.result)); again in \(Quantity.duration(notice.delay.seconds))"
    }

    private static func reason(_ result: RetryPolicy.Result) -> String {
        switch result {
        case .status(let status, _): "HTTP \(status)"
        case .failure(.connect): "no connection"
        case .failure(.nameResolution): "the host name is not known"
        case .failure(.timeout), .failure(.inactivity): "no answer in time"
        case .failure(.closedEarly), .failure(.wrongLength): "the answer was cut off"
        case .failure(.proxy): "the proxy did not let it through"
        case .failure(let kind): "the network failed (\(kind.rawValue))"
        }
    }
}
