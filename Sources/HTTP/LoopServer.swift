// Serves the connections of one event loop: a libmicrohttpd daemon whose epoll descriptor the loop watches.
import CMicrohttpd
import EventLoop
import Glibc
import Synchronization

/// One daemon on one loop. Everything but the two counters belongs to the loop's thread.
final class LoopServer: @unchecked Sendable {
    /// The time limits in milliseconds.
    struct Times {
        let header, body, idle, response: Int64
        let minimumRate: Int64
        let bodyGrace, minimumBodyRate: Int64

        init(_ configuration: ServerConfiguration) {
            header = configuration.headerTimeout.wholeMilliseconds
            body = configuration.bodyTimeout.wholeMilliseconds
            idle = configuration.idleTimeout.wholeMilliseconds
            response = configuration.responseTimeout.wholeMilliseconds
            minimumRate = Int64(max(1, configuration.minimumRate))
            bodyGrace = configuration.bodyGrace.wholeMilliseconds
            minimumBodyRate = Int64(configuration.minimumBodyRate)
        }

        /// What a client of the minimum rate needs for so many bytes.
        func allowance(forBytes bytes: Int) -> Int64 { Int64(bytes) * 1000 / minimumRate }

        /// Whether so many bytes of a body in so many milliseconds are too few.
        func isTooSlow(_ bytes: Int, in wait: Int64) -> Bool {
            wait > bodyGrace && Int64(bytes) * 1000 < minimumBodyRate * (wait - bodyGrace)
        }
    }

    /// How long handlers may take in one run before others are read and served, in milliseconds.
    private static let turn: Int64 = 2

    let loop: EventLoop
    let configuration: ServerConfiguration
    let shares: ClientShares
    let handler: Handler
    /// Those of the configuration that each request asks: taking them out of it copies it.
    let admitsFirst: @Sendable (String, String, Int) -> Bool
    let clientAddress: @Sendable (String, Headers) -> String
    let fastPath: @Sendable (Request) -> Response?
    let times: Times
    let smallBody: Int
    private(set) var isDraining = false
    let memory: BodyMemory

    private let connectionCount = Atomic(0)
    private let inFlightCount = Atomic(0)

    private var daemon: OpaquePointer?
    private var epoll: Int32 = -1
    private var needsRun = true
    private var isSweeping = false
    /// Counts how often libmicrohttpd was run.
    private(set) var runs: UInt64 = 0
    /// When it was run last, in milliseconds of the loop's clock: the time of all that happens in that turn.
    private(set) var now = TimerQueue.now()
    private var connections: [Connection] = []
    private var postponed = NetworkTurns<Connection>()
    private let responses: ResponseMemory
    private var requestIDs = RequestID()
    private let lingering: LingeringClose
    private let callbacks = UnsafeMutablePointer<vitrine_mhd_callbacks>.allocate(capacity: 1)
    /// Where the header lines of a request are collected.
    let headerLines: UnsafeMutableBufferPointer<vitrine_header>

    init(
        loop: EventLoop, configuration: ServerConfiguration, shares: ClientShares, memory: BodyMemory,
        handler: @escaping Handler
    ) throws(ServerError) {
        self.loop = loop
        self.memory = memory
        self.configuration = configuration
        self.shares = shares
        self.handler = handler
        admitsFirst = configuration.admitsFirst
        clientAddress = configuration.clientAddress
        fastPath = configuration.fastPath
        times = Times(configuration)
        smallBody = configuration.smallBody
        lingering = LingeringClose(loop: loop)
        responses = ResponseMemory(bytes: configuration.responseMemory)
        headerLines = .allocate(capacity: configuration.maxHeaders)
        callbacks.initialize(to: microhttpdCallbacks(for: self))
        // This memory holds the head of a request, libmicrohttpd's list of its lines (and a copy of Cookie), and the
        // head of the response. It is cleared for each request, so more than is needed costs time.
        daemon = vitrine_mhd_start(callbacks, configuration.maxHeaderBytes + 8 * 1024)
        guard let daemon else {
            throw .system(call: "MHD_start_daemon", errno: errno, message: String(cString: strerror(errno)))
        }
        epoll = vitrine_mhd_epoll(daemon)
    }

    deinit {
        if let daemon { MHD_stop_daemon(daemon) }
        callbacks.deallocate()
        headerLines.deallocate()
    }

    /// Open connections and requests being read, handled or completed; from any thread.
    var connectionsOpen: Int { connectionCount.load(ordering: .relaxed) }
    var requestsInFlight: Int { inFlightCount.load(ordering: .relaxed) }

    /// Memory for a large body; nil if there is none within the time limit.
    func room(for length: Int, _ admission: Admission, _ network: String) async -> BodyBudget.Room? {
        await memory.budget(admission).room(for: length, network, wait: configuration.bodyWait, on: loop)
    }

    // MARK: The loop

    /// Begins to serve; call on the loop's thread.
    func attach() {
        // The loop holds this until it is stopped; only the hook, which cannot be taken back, does not.
        loop.watch(epoll, for: .read) { [self] _ in needsRun = true }
        loop.addTurnHook { [weak self] in self?.run() ?? false }
    }

    /// Lets libmicrohttpd work, once in a turn of the loop, so that new connections and timers are not kept waiting.
    private func run() -> Bool {
        guard needsRun, let daemon else { return false }
        needsRun = false
        runs += 1
        now = TimerQueue.now()
        MHD_run(daemon)
        runPostponed()
        // Not all that is left to do shows on its descriptor.
        if needsRun || !postponed.isEmpty || vitrine_mhd_must_run(daemon) != 0 {
            needsRun = false
            loop.schedule(after: .zero) { [weak self] in self?.needsRun = true }
        }
        return true
    }

    /// Whether a request has to wait: this run has taken long, or others of its network wait.
    func mustWait(_ connection: Connection) -> Bool {
        TimerQueue.now() - now >= Self.turn || !postponed.isEmpty && postponed.contains(connection.clientNetwork)
    }

    /// Lets a connection's next request wait for its turn.
    func postpone(_ connection: Connection) { postponed.append(connection, of: connection.clientNetwork) }

    /// Works on postponed requests for one turn, so that one client's many do not hold up another's one.
    private func runPostponed() {
        let end = TimerQueue.now() + Self.turn
        while let connection = postponed.popFirst() {
            connection.takeTurn()
            if TimerQueue.now() >= end { return }
        }
    }

    func mustRun() { needsRun = true }

    /// Hands an accepted socket to libmicrohttpd, which owns it from then on.
    func add(_ socket: Int32, _ address: sockaddr_storage, _ length: socklen_t) {
        guard let daemon else {
            close(socket)
            return
        }
        _ = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { MHD_add_connection(daemon, socket, $0, length) }
        }
        needsRun = true
    }

    private func sweep() {
        let now = TimerQueue.now()
        for connection in connections {
            connection.checkDeadline(now: now)
            connection.checkSocket(now: now)
        }
        isSweeping = !connections.isEmpty
        if isSweeping { scheduleSweep() }
    }

    private func scheduleSweep() {
        loop.schedule(after: .milliseconds(250)) { [weak self] in self?.sweep() }
    }

    /// Ends expendable connections to make room for new ones: first of the networks that have most, and of these the ones
    /// that have waited longest. Returns whether there were any.
    func makeRoom() -> Bool {
        let now = TimerQueue.now()
        let held = shares.connections
        func count(_ connection: Connection) -> Int { connection.network.flatMap { held[$0] } ?? 0 }
        // Counted once: to ask a connection whether it is expendable costs a system call.
        let byShare = connections.map { (connection: $0, held: count($0)) }
            .sorted { ($1.held, $0.connection.since) < ($0.held, $1.connection.since) }
        var left = max(8, connections.count / 16)
        var hasCut = false
        for (connection, held) in byShare where connection.isExpendable(now: now, ofCrowd: held > shares.share) {
            connection.cut()
            hasCut = true
            left -= 1
            if left == 0 { break }
        }
        return hasCut
    }

    /// Memory for a large response. Beyond the limit, other ones are given up.
    func hold(_ bytes: Int, of network: String) -> ResponseMemory.Held {
        responses.hold(bytes, of: network, among: connections)
    }

    // MARK: What connections tell

    func opened(_ handle: OpaquePointer, _ remoteAddress: String) -> Connection {
        let connection = Connection(loopServer: self, handle: handle, remoteAddress: remoteAddress)
        connection.index = connections.count
        connections.append(connection)
        connectionCount.add(1, ordering: .relaxed)
        if let network = connection.network { shares.connected(network) }
        if !isSweeping {
            isSweeping = true
            scheduleSweep()
        }
        return connection
    }

    func closed(_ connection: Connection) {
        connection.closed()
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        connectionCount.subtract(1, ordering: .relaxed)
        if let network = connection.network { shares.disconnected(network) }
    }

    /// libmicrohttpd is about to reject a request; it does not say which.
    func rejected(status: Int) {
        _ = connections.contains { $0.wasRejected(status: status) }
    }

    func nextRequestNumber() -> UInt64 { requestIDs.next() }
    func requestBegan() { inFlightCount.add(1, ordering: .relaxed) }
    func requestEnded() { inFlightCount.subtract(1, ordering: .relaxed) }
    func linger(on socket: Int32) { lingering.add(socket) }

    // MARK: The end

    /// From now on each response ends its connection.
    func stopKeeping() { isDraining = true }

    /// Finishes what has begun, for at most `grace`, then ends every connection and the daemon. Runs on the loop.
    func drain(grace: Duration) async {
        let start = TimerQueue.now()
        let end = start + grace.wholeMilliseconds
        // A kept connection may have a request on its way that its client sent before it could know: such a request
        // still gets a response, with `Connection: close`.
        let lastCall = min(end, start + 300)
        while !(connections.isEmpty && lingering.isEmpty), TimerQueue.now() < end {
            if TimerQueue.now() >= lastCall {
                for connection in connections where connection.isWaiting { connection.cut() }
            }
            await loop.sleep(for: .milliseconds(5))
        }
        await stop()
    }

    private func stop() async {
        // libmicrohttpd cannot be stopped with a sleeping connection: the handlers that are late lose theirs.
        for connection in connections { connection.giveUp() }
        for round in 0..<100 where !connections.isEmpty {
            if round > 1 { for connection in connections { connection.cut() } }
            await loop.sleep(for: .milliseconds(1))
        }
        lingering.stop()
        loop.unwatch(epoll)
        if let daemon { MHD_stop_daemon(daemon) }
        daemon = nil
    }
}
