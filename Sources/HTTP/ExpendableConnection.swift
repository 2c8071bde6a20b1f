// Which connections may be ended to make room for others.
import CMicrohttpd

extension Connection {
    /// Whether the connection waits for a request of which nothing has come.
    var isWaiting: Bool {
        switch phase {
        case .idle: vitrine_input(socket) <= 0
        case .head: isFirstRequest && vitrine_input(socket) <= 0
        default: false
        }
    }

    /// Whether this connection may be ended to make room: nothing of a request has come, or a head, or a body of an unknown
    /// sender, has been coming for more than a second. A network with more than its share gets no such second, and may not
    /// take long to send and read what others may.
    func isExpendable(now: Int64, ofCrowd isOfCrowd: Bool) -> Bool {
        switch phase {
        case .head: isWaiting || isOfCrowd || now - since > 1000
        case .body: isKnown ? isOfCrowd && now - since > 5000 : isOfCrowd || now - since > 1000
        case .responding: isOfCrowd && now - since > 5000
        case .idle: isWaiting
        case .admission, .handling, .closing: false
        }
    }
}
