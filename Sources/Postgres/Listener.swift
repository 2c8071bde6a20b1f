// Receives notifications on one connection for all channels.
import EventLoop
import Synchronization

/// Reconnects automatically. Notifications sent in between are lost: `onConnect` lets the caller catch up.
/// Used on its loop's thread only, except for `isListening`.
final class Listener: @unchecked Sendable {
    private struct Subscription {
        let channel: String
        let onNotify: @Sendable (String) -> Void
        let onConnect: @Sendable () -> Void

        var statement: SQL { "listen \(raw: SQLName.quoted(channel))" }
    }

    /// How often the connection is probed, so that a dead network is noticed.
    private static let heartbeat = Duration.seconds(5)

    private let loop: EventLoop
    private let settings: ConnectionSettings
    private var keeper: ReconnectingConnection?
    private var subscriptions: [Subscription] = []
    private var heartbeatTimer: TimerQueue.Token?
    private var isClosed = false
    /// Whether notifications arrive; read from any thread.
    let isListening = Atomic<Bool>(false)

    init(loop: EventLoop, settings: ConnectionSettings) {
        self.loop = loop
        self.settings = settings
    }

    func add(
        _ channel: String, onNotify: @escaping @Sendable (String) -> Void, onConnect: @escaping @Sendable () -> Void
    ) {
        guard !isClosed else { return }
        let subscription = Subscription(channel: channel, onNotify: onNotify, onConnect: onConnect)
        subscriptions.append(subscription)
        if let keeper {
            if let connection = keeper.connection { listen(subscription, on: connection) }
        } else {
            connect()
        }
    }

    private func connect() {
        // Every new session starts with LISTEN, so that a session without that permission counts as a failed attempt.
        let keeper = ReconnectingConnection(loop: loop, settings: settings) { [unowned self] in
            subscriptions.map(\.statement)
        }
        self.keeper = keeper
        keeper.onReady = { [unowned self] in didConnect($0) }
        keeper.onLost = { [unowned self] in isListening.store(false, ordering: .releasing) }
        keeper.start()
    }

    private func didConnect(_ connection: PostgresConnection) {
        connection.onNotify = { [unowned self] channel, payload in
            for subscription in subscriptions where subscription.channel == channel { subscription.onNotify(payload) }
        }
        isListening.store(true, ordering: .releasing)
        for subscription in subscriptions { subscription.onConnect() }
        beat()
    }

    private func listen(_ subscription: Subscription, on connection: PostgresConnection) {
        let deadline = settings.configuration.deadline
        connection.send(
            Exchange([subscription.statement], deadline: deadline) { outcome in
                switch outcome {
                case .success: subscription.onConnect()
                case .failure(let error): connection.close(error)
                }
            })
    }

    private func beat() {
        if let heartbeatTimer { loop.cancel(heartbeatTimer) }
        heartbeatTimer = loop.schedule(after: Listener.heartbeat) { [weak self] in
            guard let self, let connection = keeper?.connection else { return }
            // A missed deadline closes the connection, and a new one is opened.
            connection.send(Exchange(["select 1"], deadline: settings.configuration.deadline) { _ in })
            beat()
        }
    }

    func close() {
        isClosed = true
        if let heartbeatTimer { loop.cancel(heartbeatTimer) }
        keeper?.stop()
    }
}
