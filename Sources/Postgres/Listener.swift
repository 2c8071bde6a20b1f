// Receives notifications on one connection for all channels.
import EventLoop
import Synchronization

/// Reconnects by itself. What was notified in between is lost: `onConnect` tells the caller to look for itself.
/// Used on its loop's thread only, except for `isListening`.
final class Listener: @unchecked Sendable {
    private struct Subscription {
        let channel: String
        let onNotify: @Sendable (String) -> Void
        let onConnect: @Sendable () -> Void
    }

    /// How often the connection is tried, so that a dead network is noticed.
    private static let heartbeat = Duration.seconds(5)

    private let loop: EventLoop
    private let deadline: Duration
    private let keeper: ConnectionKeeper
    private var subscriptions: [Subscription] = []
    private var heartbeatTimer: TimerQueue.Token?
    /// Whether notifications arrive; read from any thread.
    let isListening = Atomic<Bool>(false)

    init(loop: EventLoop, settings: ConnectionSettings) {
        self.loop = loop
        deadline = settings.configuration.deadline
        keeper = ConnectionKeeper(loop: loop, settings: settings)
        keeper.onReady = { [unowned self] in didConnect($0) }
        keeper.onLost = { [unowned self] in isListening.store(false, ordering: .releasing) }
    }

    func add(
        _ channel: String, onNotify: @escaping @Sendable (String) -> Void, onConnect: @escaping @Sendable () -> Void
    ) {
        let subscription = Subscription(channel: channel, onNotify: onNotify, onConnect: onConnect)
        subscriptions.append(subscription)
        keeper.start()
        if let connection = keeper.connection { listen([subscription], on: connection) }
    }

    private func didConnect(_ connection: PostgresConnection) {
        connection.onNotify = { [unowned self] channel, payload in
            for subscription in subscriptions where subscription.channel == channel { subscription.onNotify(payload) }
        }
        listen(subscriptions, on: connection)
        beat()
    }

    private func listen(_ added: [Subscription], on connection: PostgresConnection) {
        let statements = added.map { "listen \(raw: SQLName.quoted($0.channel))" as SQL }
        isListening.store(false, ordering: .releasing)
        connection.send(
            Exchange(statements, deadline: deadline) { [weak self] outcome in
                switch outcome {
                case .success:
                    self?.isListening.store(true, ordering: .releasing)
                    for subscription in added { subscription.onConnect() }
                case .failure(let error): connection.close(error)
                }
            })
    }

    private func beat() {
        if let heartbeatTimer { loop.cancel(heartbeatTimer) }
        heartbeatTimer = loop.schedule(after: Listener.heartbeat) { [weak self] in
            guard let self, let connection = keeper.connection else { return }
            // A missed deadline ends the connection, and the keeper makes a new one.
            connection.send(Exchange(["select 1"], deadline: deadline) { _ in })
            beat()
        }
    }

    func close() {
        if let heartbeatTimer { loop.cancel(heartbeatTimer) }
        keeper.stop()
    }
}
