// Finds out whether a pooler shares server sessions among its clients.
import EventLoop
import Synchronization

/// What a client knows of the pooler in front of PostgreSQL.
final class PoolerFinding: Sendable {
    private let known = Atomic<Bool>(false)
    private let lastProbe = Atomic<Int64>(0)

    /// Whether a probe has shown that each connection keeps its session, and no connection has ended since.
    var keepsSessions: Bool {
        get { known.load(ordering: .relaxed) }
        set {
            known.store(newValue, ordering: .relaxed)
            if newValue { lastProbe.store(TimerQueue.now(), ordering: .relaxed) }
        }
    }

    /// Whether a probe is due now; one of the callers gets true.
    func isDue(after interval: Duration) -> Bool {
        let (last, now) = (lastProbe.load(ordering: .relaxed), TimerQueue.now())
        guard now - last >= interval.wholeMilliseconds else { return false }
        return lastProbe.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    }
}

/// A second connection holds a transaction, and with it a server process, while the first one asks for its own before and
/// after. With a session of its own, the first connection always gets the same process and never that of the second.
///
/// Used on the loop of the probed connection only.
final class PoolerProbe {
    /// Other clients of the pooler may hide the sharing in one round.
    private static let rounds = 3

    private let probed: PostgresConnection
    private let probe: PostgresConnection
    private let attempt: Int
    private var completion: ((PostgresError?) -> Void)?

    /// Calls `completion` once, with the reason why the connection must not be used, if any.
    init(
        of probed: PostgresConnection, settings: ConnectionSettings, attempt: Int,
        completion: @escaping (PostgresError?) -> Void
    ) {
        self.probed = probed
        self.attempt = attempt
        self.completion = completion
        probe = PostgresConnection(loop: probed.loop, settings: settings, mode: .simple, isProbe: true)
    }

    func start() {
        probe.onReady = { [unowned self] in run(round: 1) }
        probe.onEnd = { [weak self] reason in
            self?.finish(.unavailable("could not examine the pooler in front of PostgreSQL: \(reason.message)"))
        }
        probe.open(attempt: attempt)
    }

    private func run(round: Int) {
        probed.askBackend { [weak self] own in
            self?.probe.askBackend(after: "begin;") { [weak self] held in
                self?.probed.askBackend { [weak self] ownLater in
                    guard let self else { return }
                    if held == own || ownLater != own { return finish(.sharedSessions) }
                    if round == Self.rounds { return finish(nil) }
                    probe.askBackend(after: "rollback;") { [weak self] _ in self?.run(round: round + 1) }
                }
            }
        }
    }

    private func finish(_ refusal: PostgresError?) {
        guard let completion else { return }
        self.completion = nil
        cancel()
        completion(refusal)
    }

    func cancel() {
        completion = nil
        probe.onEnd = nil
        probe.close(.unavailable("the probe has ended"))
    }
}

extension PostgresConnection {
    /// Asks which server process answers, after running `first`; also before the connection is ready.
    func askBackend(after first: String = "", then: @escaping (Int) -> Void) {
        ask("\(raw: first)select pg_backend_pid()") { then((try? $0(0)) ?? 0) }
    }

    /// Sends a question to the server, also before the connection is ready.
    func ask(_ question: SQL, then: @escaping (Row) -> Void) {
        let connection = self
        let exchange = Exchange([question], deadline: nil, isRepeated: false) { outcome in
            do {
                if let row = try outcome.single.get().rows.first { then(row) }
            } catch {
                connection.close(.unavailable("could not start the session: \(error)"))
            }
        }
        post(exchange)
        flush()
    }

    /// Examines the pooler again, because its configuration may have changed. If it can't be examined, nothing changes.
    func probePoolerAgain() {
        guard isIdle, probe == nil else { return }
        let connection = self
        probe = PoolerProbe(of: self, settings: settings, attempt: attempt) { refusal in
            connection.probe = nil
            if let refusal, refusal.isMisconfigured { connection.close(refusal) }
        }
        probe?.start()
    }

    /// Nothing is set in the session before the probe has ended.
    func probePooler(_ handle: OpaquePointer) {
        let connection = self
        probe = PoolerProbe(of: self, settings: settings, attempt: attempt) { refusal in
            connection.probe = nil
            if let refusal { return connection.close(refusal) }
            connection.settings.pooler.keepsSessions = true
            connection.setUpSession(handle)
        }
        probe?.start()
    }
}
