// What a connection does besides its responses: deadlines of its statements, and notifications.
import CPostgres
import EventLoop

extension PostgresConnection {
    func readNotifications() {
        while let handle, let notification = PQnotifies(handle) {
            let channel = String(cString: notification.pointee.relname)
            let payload = String(cString: notification.pointee.extra)
            PQfreemem(notification)
            onNotify?(channel, payload)
        }
    }

    func watchDeadline(_ deadline: Int64) {
        guard deadline < deadlineTimer?.due ?? .max else { return }
        if let deadlineTimer { loop.cancel(deadlineTimer.token) }
        let token = loop.schedule(at: deadline) { [weak self] in self?.checkDeadlines() }
        deadlineTimer = (deadline, token)
    }

    private func checkDeadlines() {
        deadlineTimer = nil
        let now = TimerQueue.now()
        var earliest = Int64.max
        var isOverdue = false
        inFlight.forEach { exchange in
            if exchange.deadline <= now {
                exchange.finish(.failure(.deadlinePassed))
                isOverdue = true
            } else {
                earliest = min(earliest, exchange.deadline)
            }
        }
        if isOverdue {
            abandon(.unavailable("the connection to PostgreSQL was closed because a statement took too long"))
        } else {
            watchDeadline(earliest)
        }
    }
}
