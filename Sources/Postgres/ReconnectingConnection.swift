// Keeps one connection open: makes a new one whenever it ends.
import EventLoop

/// Used on its loop's thread only.
final class ReconnectingConnection {
    let loop: EventLoop
    private let settings: ConnectionSettings
    private let sessionStart: () -> [SQL]
    /// The connection while it is ready.
    private(set) var connection: PostgresConnection?
    private var opening: PostgresConnection?
    private var retryTimer: TimerQueue.Token?
    private var delay = ReconnectDelay()
    private var attempt = 0
    private(set) var isRunning = false
    /// Why there is no connection.
    private(set) var lastFailure: PostgresError?

    var onReady: ((PostgresConnection) -> Void)?
    /// Called when a connection that was ready has ended.
    var onLost: (() -> Void)?

    init(loop: EventLoop, settings: ConnectionSettings, sessionStart: @escaping () -> [SQL] = { [] }) {
        self.loop = loop
        self.settings = settings
        self.sessionStart = sessionStart
    }

    func start() {
        guard !isRunning else { return }
        isRunning = true
        connect()
    }

    private func connect() {
        retryTimer = nil
        let next = PostgresConnection(loop: loop, settings: settings, sessionStart: sessionStart())
        opening = next
        // The keeper outlives its connections: stop() closes them before it goes.
        next.onReady = { [unowned self] in didOpen(next) }
        next.onEnd = { [unowned self] in didEnd($0) }
        next.open(attempt: attempt)
        attempt += 1
    }

    private func didOpen(_ opened: PostgresConnection) {
        opening = nil
        connection = opened
        lastFailure = nil
        attempt = 0
        delay.reset()
        onReady?(opened)
    }

    private func didEnd(_ reason: PostgresError) {
        let wasReady = connection != nil
        connection = nil
        opening = nil
        lastFailure = reason
        if wasReady { onLost?() }
        guard isRunning else { return }
        settings.configuration.onTrouble(reason)
        retryTimer = loop.schedule(after: delay.next()) { [weak self] in self?.connect() }
    }

    func stop() {
        isRunning = false
        if let retryTimer { loop.cancel(retryTimer) }
        opening?.close(.unavailable("the database client was closed"))
        connection?.close(.unavailable("the database client was closed"))
    }
}

extension PostgresError {
    /// No connection was free in time; says why when there is none at all.
    static func noConnection(_ keepers: [ReconnectingConnection]) -> PostgresError {
        let failures = keepers.compactMap { $0.connection == nil ? $0.lastFailure : nil }
        return failures.first ?? .unavailable("no connection to PostgreSQL was free in time")
    }
}
