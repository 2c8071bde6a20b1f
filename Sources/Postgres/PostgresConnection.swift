// One libpq connection on one event loop, never blocking it.
import CPostgres
import EventLoop
import Glibc

/// Connects, sends groups of statements, reads their results and closes; used on its loop's thread only.
///
/// Groups complete in the order in which they were sent. When the connection closes, groups in flight
/// fail as unavailable. It is not reopened: `ReconnectingConnection` creates another one.
final class PostgresConnection {
    enum Mode {
        /// Many groups in flight, each with a synchronization point of its own.
        case pipeline
        /// One statement in flight, whose text may hold many statements (simple query protocol).
        case simple
    }

    private enum State { case new, connecting, starting, ready, closed }

    let loop: EventLoop
    let settings: ConnectionSettings
    let mode: Mode
    private let sessionStart: [SQL]
    var probe: PoolerProbe?
    /// The server process behind a pooler; nil on a direct connection.
    private(set) var pooledBackend: Int?
    private let isProbe: Bool
    private(set) var attempt = 0
    private var state = State.new
    var handle: OpaquePointer?
    private var socket: Int32 = -1
    private var isWaitingToWrite = false
    var inFlight = LoopQueue<Exchange>()
    private var cache = StatementCache()
    private let parameters = ParameterBuffer()
    private var evicted: [String] = []
    private var connectTimer: TimerQueue.Token?
    var deadlineTimer: (due: Int64, token: TimerQueue.Token)?

    var onReady: (() -> Void)?
    /// Called once, after the groups in flight have failed.
    var onEnd: ((PostgresError) -> Void)?
    var onNotify: ((_ channel: String, _ payload: String) -> Void)?

    init(
        loop: EventLoop, settings: ConnectionSettings, mode: Mode = .pipeline, sessionStart: [SQL] = [],
        isProbe: Bool = false
    ) {
        self.loop = loop
        self.settings = settings
        self.mode = mode
        self.sessionStart = sessionStart
        self.isProbe = isProbe
    }

    var isReady: Bool { state == .ready }
    var inFlightCount: Int { inFlight.count }

    // MARK: Connecting

    /// Starts connecting; `attempt` (from 0) selects the first IP address.
    func open(attempt: Int) {
        state = .connecting
        self.attempt = attempt
        connectTimer = loop.schedule(after: settings.connectLimit) { [weak self] in
            self?.close(.unavailable("PostgreSQL did not accept a connection in time"))
        }
        if let problem = settings.address.problem { return close(problem) }
        nonisolated(unsafe) let connection = self
        settings.address.parameters(attempt: attempt, on: loop) { connection.connect($0) }
    }

    private func connect(_ parameters: [(name: String, value: String)]?) {
        guard state == .connecting else { return }
        guard let parameters else {
            close(.unavailable("the host name of PostgreSQL could not be looked up"))
            return
        }
        let names = parameters.map { strdup($0.name) }
        let values = parameters.map { strdup($0.value) }
        defer { for text in names + values { free(text) } }
        handle = PQconnectStartParams(
            names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 0)
        guard let handle, PQstatus(handle) != CONNECTION_BAD else {
            close(lost("could not connect"))
            return
        }
        vitrine_pq_ignore_notices(handle)
        waitForSocket(.write)
    }

    private func waitForSocket(_ readiness: EventLoop.Readiness) {
        guard let handle else { return }
        socket = PQsocket(handle)
        let connection = self
        loop.watch(socket, for: readiness) { seen in
            // A stale event of an earlier descriptor with this number must not count as a connection.
            if !seen.isDisjoint(with: [readiness, .hangup]) { connection.poll() }
        }
    }

    private func poll() {
        guard state == .connecting, let handle else { return }
        // libpq may close the socket and open another one with the same number while it polls.
        loop.unwatch(socket)
        socket = -1
        switch PQconnectPoll(handle) {
        case PGRES_POLLING_READING: waitForSocket(.read)
        case PGRES_POLLING_WRITING: waitForSocket(.write)
        case PGRES_POLLING_OK: startSession(handle)
        default: close(lost("could not connect"))
        }
    }

    private func startSession(_ handle: OpaquePointer) {
        state = .starting
        socket = PQsocket(handle)
        let connection = self
        loop.watch(socket, for: .read) { connection.handle($0) }
        guard PQsetnonblocking(handle, 1) == 0, mode == .simple || PQenterPipelineMode(handle) == 1 else {
            close(lost("could not start the session"))
            return
        }
        if isProbe { return becomeReady() }
        ask(settings.firstQuestion) { row in
            let reserve = connection.settings.configuration.reserve
            if reserve > 0, (try? row(1) as Int).map({ $0 < reserve }) ?? false { return connection.close(.reserved) }
            let backend = (try? row(0) as Int) ?? 0
            // PostgreSQL names its own process when a client connects; a pooler names one of its own making.
            if backend == Int(PQbackendPID(handle)) { return connection.setUpSession(handle) }
            connection.pooledBackend = backend
            if connection.settings.pooler.keepsSessions { return connection.setUpSession(handle) }
            connection.probePooler(handle)
        }
    }

    /// Once it is known to be this connection's own.
    func setUpSession(_ handle: OpaquePointer) {
        guard state == .starting else { return }
        let connection = self
        let style = PQparameterStatus(handle, "DateStyle").map { String(cString: $0) } ?? ""
        let statements = settings.sessionStart(dateStyle: style, isPooled: localRole != nil) + sessionStart
        if statements.isEmpty {
            becomeReady()
            return
        }
        let joined: SQL = "\(raw: statements.map(\.text).joined(separator: ";"))"
        let exchange = Exchange(mode == .simple ? [joined] : statements, deadline: nil, isRepeated: false) { outcome in
            switch outcome {
            case .success: connection.becomeReady()
            case .failure(let error): connection.close(error.endingSession)
            }
        }
        post(exchange)
        flush()
    }

    private func becomeReady() {
        guard state == .starting else { return }
        state = .ready
        if let connectTimer { loop.cancel(connectTimer) }
        onReady?()
    }

    // MARK: Sending

    /// Sends a group, or refuses it through its completion. Without `flush`, call `flush()` before the turn ends.
    func send(_ exchange: Exchange, flush mustFlush: Bool = true) {
        guard state == .ready else {
            exchange.finish(.failure(.unavailable("the connection to PostgreSQL was lost")))
            return
        }
        if let refusal = exchange.refusal {
            exchange.finish(.failure(refusal))
            return
        }
        if exchange.isAlone, let localRole { exchange.guardedBy(localRole) }
        post(exchange)
        while let name = evicted.popLast() {
            let deadline = settings.configuration.deadline
            post(Exchange(["deallocate \(raw: name)"], deadline: deadline, isRepeated: false) { _ in })
        }
        if mustFlush { flush() }
    }

    func post(_ exchange: Exchange) {
        guard let handle else { return }
        inFlight.append(exchange)
        var isPosted = true
        for index in exchange.statements.indices where isPosted {
            isPosted = post(exchange, index, handle)
        }
        if mode == .pipeline { isPosted = isPosted && vitrine_pq_end_group(handle) == 1 }
        guard isPosted else {
            close(lost("the connection to PostgreSQL was lost"))
            return
        }
        watchDeadline(exchange.deadline)
    }

    private func post(_ exchange: Exchange, _ index: Int, _ handle: OpaquePointer) -> Bool {
        let statement = exchange.statements[index]
        let count = Int32(statement.binds.count)
        if mode == .simple && count == 0 { return PQsendQuery(handle, statement.text) == 1 }
        guard exchange.isRepeated, mode == .pipeline, settings.configuration.prepare else {
            return parameters.withParameters(statement.binds) { values, lengths, formats in
                PQsendQueryParams(handle, statement.text, count, nil, values, lengths, formats, 0) == 1
            }
        }
        var name = cache.name(of: statement.text)
        if name == nil {
            let added = cache.add(statement.text)
            name = added.name
            if let old = added.evicted { evicted.append(old) }
            exchange.willPrepare(index)
            guard PQsendPrepare(handle, added.name, statement.text, 0, nil) == 1 else { return false }
        }
        return parameters.withParameters(statement.binds) { values, lengths, formats in
            PQsendQueryPrepared(handle, name, count, values, lengths, formats, 0) == 1
        }
    }

    /// Writes what libpq has buffered; the rest is sent when the socket is writable.
    func flush() {
        guard let handle else { return }
        let result = PQflush(handle)
        if result < 0 {
            close(lost("the connection to PostgreSQL was lost"))
        } else if (result > 0) != isWaitingToWrite {
            isWaitingToWrite = result > 0
            loop.rewatch(socket, for: isWaitingToWrite ? [.read, .write] : .read)
        }
    }

    // MARK: Receiving

    private func handle(_ readiness: EventLoop.Readiness) {
        if readiness.contains(.write) { flush() }
        guard let handle, !readiness.isDisjoint(with: [.read, .hangup]) else { return }
        guard PQconsumeInput(handle) == 1 else {
            close(lost("the connection to PostgreSQL was lost"))
            return
        }
        readResponses()
        readNotifications()
        // Reading may have made room for what could not be written before.
        if isWaitingToWrite { flush() }
    }

    private func readResponses() {
        var emptyResults = 0
        while let handle, let exchange = inFlight.first, PQisBusy(handle) == 0 {
            guard let result = PQgetResult(handle) else {
                // One empty result ends each statement; a second one means that libpq has nothing in flight.
                emptyResults += 1
                if mode == .simple {
                    finishFirst()
                } else if emptyResults > 1 {
                    close(lost("the connection to PostgreSQL fell out of step"))
                }
                continue
            }
            emptyResults = 0
            take(result, exchange)
        }
        if let handle, PQstatus(handle) == CONNECTION_BAD { close(lost("the connection to PostgreSQL was lost")) }
    }

    private func take(_ result: OpaquePointer, _ exchange: Exchange) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            exchange.take(result)
        case PGRES_PIPELINE_SYNC:
            PQclear(result)
            finishFirst()
        case PGRES_PIPELINE_ABORTED:
            PQclear(result)
            if let statement = exchange.statementBeingPrepared { _ = cache.remove(statement.text) }
            exchange.skip()
        case PGRES_FATAL_ERROR:
            if let statement = exchange.statementBeingPrepared { _ = cache.remove(statement.text) }
            let error = PostgresError(result: result)
            PQclear(result)
            if error.isUnavailable { settings.configuration.onTrouble(error) }
            exchange.fail(error)
        default:
            PQclear(result)
            close(.unavailable("PostgreSQL started a COPY, which is not supported"))
        }
    }

    private func finishFirst() {
        guard let exchange = inFlight.popFirst() else { return }
        if let failure = exchange.failure, failure.isStalePlan {
            for statement in exchange.statements {
                if let name = cache.remove(statement.text) { evicted.append(name) }
            }
            if exchange.isAlone, !exchange.hasBeenRepeated, exchange.isWaitedFor {
                exchange.rewind()
                send(exchange)
                return
            }
        }
        let isShared = exchange.guardedBackend.map { $0 != pooledBackend } ?? false
        exchange.finish()
        if isShared { close(.sharedSessions) }
    }

    // MARK: Ending

    /// Closes the connection and asks the server to cancel its statement.
    func abandon(_ reason: PostgresError) {
        if let handle { CancelRequest.send(for: handle) }
        close(reason)
    }

    /// Closes the connection; groups in flight fail with `reason`.
    func close(_ reason: PostgresError) {
        guard state != .closed else { return }
        // The next connection may go through another pooler, or the same one with another configuration.
        settings.pooler.keepsSessions = false
        probe?.cancel()
        probe = nil
        state = .closed
        if let connectTimer { loop.cancel(connectTimer) }
        if let deadlineTimer { loop.cancel(deadlineTimer.token) }
        if socket >= 0 { loop.unwatch(socket) }
        if let handle { PQfinish(handle) }
        handle = nil
        socket = -1
        for exchange in inFlight.removeAll() { exchange.finish(.failure(exchange.failure ?? reason)) }
        let onEnd = onEnd
        self.onEnd = nil
        onReady = nil
        onNotify = nil
        onEnd?(reason)
    }

    private func lost(_ what: String) -> PostgresError {
        .unavailable("\(what): \(PostgresError.trimmed(handle.flatMap { PQerrorMessage($0) }))")
    }
}
