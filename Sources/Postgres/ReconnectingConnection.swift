// Keeps one connection open while it is needed: makes a new one whenever it ends.
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
    /// Whether it closes when it has not been used for a while.
    private let isTemporary: Bool
    private var lastUse: Int64 = 0
    private var idleTimer: TimerQueue.Token?
    private var poolerTimer: TimerQueue.Token?
    /// Whose transaction has it.
    var borrower: TransactionPool.Borrower? {
        didSet {
            oldValue?.lent -= 1
            borrower?.lent += 1
        }
    }
    private var isLent: Bool { borrower != nil }
    /// Why there is no connection.
    private(set) var lastFailure: PostgresError?

    var onReady: ((PostgresConnection) -> Void)?
    /// Called when a connection that was ready has ended.
    var onLost: (() -> Void)?

    init(
        loop: EventLoop, settings: ConnectionSettings, isTemporary: Bool = false,
        sessionStart: @escaping () -> [SQL] = { [] }
    ) {
        self.loop = loop
        self.settings = settings
        self.isTemporary = isTemporary
        self.sessionStart = sessionStart
    }

    func start() {
        guard !isRunning else { return }
        isRunning = true
        use()
        if isTemporary { watchIdleness() }
        connect()
    }

    // MARK: Closing when idle

    /// Call with each use.
    func use() { lastUse = TimerQueue.now() }

    private var isInUse: Bool { isLent || (connection?.inFlightCount ?? 0) > 0 }

    /// While there is no connection, somebody may wait for it.
    private var idleLimit: Int64 {
        let (idle, wait) = (settings.configuration.idleTimeout, settings.configuration.poolWait)
        return (connection == nil ? max(idle, wait) : idle).wholeMilliseconds
    }

    private func watchIdleness() {
        idleTimer = loop.schedule(at: (isInUse ? TimerQueue.now() : lastUse) + idleLimit) { [weak self] in
            self?.closeIfIdle()
        }
    }

    private func closeIfIdle() {
        idleTimer = nil
        if isInUse || TimerQueue.now() - lastUse < idleLimit { return watchIdleness() }
        stop("the connection was not needed any more")
    }

    // MARK: The pooler

    /// Examines a pooler from time to time, whichever connection of the client comes first.
    private func watchPooler() {
        guard connection?.pooledBackend != nil else { return }
        let interval = settings.configuration.poolerInterval
        poolerTimer = loop.schedule(after: interval / 4) { [weak self] in
            guard let self, let connection else { return }
            if !isLent, connection.isIdle, settings.pooler.isDue(after: interval) { connection.probePoolerAgain() }
            watchPooler()
        }
    }

    // MARK: Connecting

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
        // The limit is another one from here on.
        if isTemporary, let idleTimer {
            loop.cancel(idleTimer)
            watchIdleness()
        }
        watchPooler()
        onReady?(opened)
    }

    private func didEnd(_ reason: PostgresError) {
        let wasReady = connection != nil
        connection = nil
        opening = nil
        borrower = nil
        if let poolerTimer { loop.cancel(poolerTimer) }
        poolerTimer = nil
        lastFailure = isRunning ? reason : nil
        if wasReady { onLost?() }
        guard isRunning else { return }
        settings.configuration.onTrouble(reason)
        retryTimer = loop.schedule(after: delay.next()) { [weak self] in self?.connect() }
    }

    /// May be started again.
    func stop(_ reason: String = "the database client was closed") {
        isRunning = false
        lastFailure = nil
        for timer in [retryTimer, idleTimer].compactMap({ $0 }) { loop.cancel(timer) }
        (retryTimer, idleTimer) = (nil, nil)
        opening?.end(reason)
        connection?.end(reason)
    }
}

extension [ReconnectingConnection] {
    /// Starts one, unless one is opening.
    func openAnother() {
        let opening = filter { $0.isRunning && $0.connection == nil }
        for keeper in opening { keeper.use() }
        guard opening.isEmpty else { return }
        first { !$0.isRunning }?.start()
    }
}

extension PostgresError {
    /// No connection was free in time; says why when there is none at all.
    static func noConnection(_ keepers: [ReconnectingConnection]) -> PostgresError {
        let failures = keepers.compactMap { $0.connection == nil ? $0.lastFailure : nil }
        return failures.first ?? .unavailable("no connection to PostgreSQL was free in time")
    }
}
