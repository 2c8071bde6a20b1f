// One client connection: the request at hand, its deadlines and its response.
import CMicrohttpd
import EventLoop
import Glibc

/// Follows one connection from request to request; touched on its loop's thread only.
final class Connection: @unchecked Sendable {
    /// What the connection waits for; the waits for a client have a deadline.
    enum Phase {
        case head
        /// Somebody looks whether the sender of a body may send it.
        case admission
        case body
        case handling
        case responding
        case idle
        case closing
    }

    private(set) var phase = Phase.head
    /// When the phase began and when it must be over, in milliseconds of the loop's clock.
    private(set) var since: Int64
    private(set) var deadline: Int64
    /// Where the loop's server keeps this connection.
    var index = 0

    private let loopServer: LoopServer
    private let handle: OpaquePointer
    let socket: Int32
    private let remoteAddress: String
    /// The network of the client, which has a share of the connections; nil for a proxy.
    let network: String?

    private(set) var isFirstRequest = true
    private var isInCallback = false
    private var rawTarget: String?
    private var head = RequestHead()
    private var knownHead: RequestHead.Known?
    private var body: BodyReader?
    /// Memory for a large body.
    private var room: BodyBudget.Room?
    /// What came instead of leave to send the body: nothing more is read.
    private var isRefused = false
    /// Whether the sender of the request at hand is known.
    private(set) var isKnown = false
    private var proxied: ClientShares.ProxiedRequest?
    private var requestNumber: UInt64 = 0
    private var handler: RunningHandler?
    /// Whether a request has come whose handler waits for its turn.
    private var isPostponed = false
    /// The run of libmicrohttpd in which the last response was written.
    private var respondedRun: UInt64 = 0
    /// Whether all that was written has reached the client; since when it has not, and what had been by then.
    private var isDelivered = true
    private var undelivered: (since: Int64, acknowledged: UInt64)?
    /// The memory of a large response that the client has not taken yet.
    private(set) var held: ResponseMemory.Held?
    private var nextCheck: Int64

    init(loopServer: LoopServer, handle: OpaquePointer, remoteAddress: String) {
        (self.loopServer, self.handle, self.remoteAddress) = (loopServer, handle, remoteAddress)
        let configuration = loopServer.configuration
        network = configuration.isProxy(remoteAddress) ? nil : configuration.network(remoteAddress)
        socket = vitrine_mhd_socket(handle)
        since = TimerQueue.now()
        nextCheck = since
        deadline = since + loopServer.times.header
    }

    var headerLines: UnsafeMutableBufferPointer<vitrine_header> { loopServer.headerLines }

    // MARK: What libmicrohttpd tells, in the order in which it does

    /// The request line has come.
    func begin(target: UnsafePointer<CChar>?) {
        rawTarget = target.map { String(cString: $0) }
        head = RequestHead()
        if isFirstRequest {
            isFirstRequest = false
        } else {
            enter(.head, for: loopServer.times.header)
        }
    }

    /// The head, a piece of the body, or (with neither) the end of the request has come.
    func receive(_ raw: RequestHead.Raw, _ bytes: UnsafeBufferPointer<UInt8>?) -> MHD_Result {
        do throws(Refusal) {
            if isRefused { return .NO }
            if phase == .head {
                try readHead(raw)
            } else if let bytes {
                try body?.take(bytes)
            } else if phase == .body, (body?.received ?? 0) == head.contentLength {
                // After a wait for admission the head is shown once more; that is not the end.
                handleRequest()
            }
            return isRefused ? .NO : .YES
        } catch {
            write(refusal(error))
            return .NO
        }
    }

    /// The response has been written, or the request ended without one.
    func complete() {
        if phase == .admission || phase == .body || phase == .handling || phase == .responding {
            loopServer.requestEnded()
        }
        (body, room, proxied, handler, held) = (nil, nil, nil, nil, nil)
        if phase == .responding {
            respondedRun = loopServer.runs
            enter(.idle, for: loopServer.times.idle)
        }
    }

    /// libmicrohttpd cannot parse the head and is about to say so in its own words, which 0.9.75 does wrongly for a
    /// bad Content-Length: respond in its place. Returns whether this is the connection meant: the one whose head is
    /// complete but was not shown.
    func wasRejected(status: Int) -> Bool {
        guard phase == .head, vitrine_mhd_head_size(handle) > 0 else { return false }
        write(refusal(.unreadableHead(status: status)))
        phase = .closing
        // What libmicrohttpd says now goes nowhere, and it closes.
        shutdown(socket, Int32(SHUT_WR))
        return true
    }

    func closed() {
        phase = .closing
        (room, proxied, handler, held) = (nil, nil, nil, nil)
    }

    // MARK: From request to response

    private func readHead(_ raw: RequestHead.Raw) throws(Refusal) {
        requestNumber = loopServer.nextRequestNumber()
        guard let rawTarget else { throw .malformed("The request line has no target.") }
        try head.read(raw, rawTarget: rawTarget, known: &knownHead, limits: loopServer.configuration)
        if head.contentLength != 0 {
            body = try BodyReader(head, limits: loopServer.configuration)
        }
        if network == nil {
            proxied = loopServer.shares.proxiedRequest(of: clientNetwork)
            if proxied == nil { throw .tooMuchAtOnce }
        }
        loopServer.requestBegan()
        enter(.body, for: loopServer.times.body)
        isKnown = false
        let mustBeAdmitted = loopServer.admitsFirst(head.method, head.path, head.contentLength)
        if mustBeAdmitted || head.contentLength > loopServer.smallBody {
            askAdmission(mustBeAdmitted: mustBeAdmitted)
        }
    }

    /// Reads nothing of the body until somebody has said that it may come, and there is memory for it; a response instead
    /// closes the connection.
    private func askAdmission(mustBeAdmitted: Bool) {
        enter(.admission, for: 0)
        deadline = .max
        let request = request(with: .none)
        isInCallback = true
        Task.immediate(executorPreference: loopServer.loop) { [self] in
            let admission = await loopServer.configuration.admission(request)
            if case .known = admission { isKnown = true }
            if mustBeAdmitted, let refusal = admission.refusal { return admit(refusal) }
            guard head.contentLength > loopServer.smallBody else { return admit(nil) }
            let room = await loopServer.room(for: head.contentLength, admission, clientNetwork)
            admit(room == nil ? refusal(.busy).with("Retry-After", "5") : nil, room)
        }
        isInCallback = false
        if phase == .admission { MHD_suspend_connection(handle) }
    }

    private func admit(_ refusal: Response?, _ room: BodyBudget.Room? = nil) {
        guard phase == .admission else { return }
        self.room = room
        // The turn in which it was asked may be long over.
        enter(.body, for: loopServer.times.body, at: TimerQueue.now())
        if let refusal {
            isRefused = true
            write(refusal)
            // What libmicrohttpd may still say, such as 100 Continue, goes nowhere.
            shutdown(socket, Int32(SHUT_WR))
        }
        if !isInCallback {
            MHD_resume_connection(handle)
            loopServer.mustRun()
        }
    }

    /// The network of the request's client, also behind a proxy.
    var clientNetwork: String {
        network ?? loopServer.configuration.network(loopServer.clientAddress(remoteAddress, head.headers))
    }

    private func request(with body: Body) -> Request {
        Request(
            method: head.method, path: head.path, rawTarget: head.rawTarget, query: head.query, headers: head.headers,
            body: body, remoteAddress: loopServer.clientAddress(remoteAddress, head.headers),
            loop: loopServer.loop, number: requestNumber, room: room)
    }

    /// Runs the handler. A handler that returns without waiting completes in place; otherwise the connection sleeps.
    private func handleRequest() {
        phase = .handling
        deadline = .max
        // What was there before the last response was: a client that sends many at once waits behind the others.
        if respondedRun == loopServer.runs || loopServer.mustWait(self) {
            isPostponed = true
            loopServer.postpone(self)
        } else {
            isInCallback = true
            runHandler()
            isInCallback = false
        }
        if phase == .handling { MHD_suspend_connection(handle) }
    }

    private func runHandler() {
        let request: Request
        do {
            request = self.request(with: try body?.finish() ?? .none)
        } catch {
            return send(refusal(error), closing: true)
        }
        body = nil
        if let response = loopServer.fastPath(request) { return send(response) }
        let running = RunningHandler(of: request, loopServer) { [self] in send($0) }
        if phase == .handling { handler = running }
    }

    /// Runs the handler for a request that was postponed, unless the connection has been given up.
    func takeTurn() {
        guard isPostponed else { return }
        isPostponed = false
        if phase == .handling { runHandler() }
    }

    /// Sends the response, once; what comes after the connection was given up is dropped.
    private func send(_ response: Response, closing: Bool = false) {
        guard phase == .handling else { return }
        phase = .responding
        handler = nil
        isDelivered = false
        let isQueued =
            ResponseWriter.queue(response, on: handle, closing: closing || loopServer.isDraining)
            || ResponseWriter.queue(
                refusal(Refusal(500, "response_missing", "The response could not be read.")), on: handle,
                closing: true)
        if !isQueued {
            abort()
        } else if case .bytes(let bytes) = response.body, bytes.count > loopServer.smallBody {
            held = loopServer.hold(bytes.count, of: clientNetwork)
        }
        if !isInCallback {
            MHD_resume_connection(handle)
            loopServer.mustRun()
        }
    }

    /// Answers in place of a handler that takes too long.
    func giveUp() {
        send(refusal(Refusal(503, "stopping", "The server is stopping. Try again in a moment.")))
    }

    private func refusal(_ refusal: Refusal) -> Response {
        let known = head.path.isEmpty ? nil : request(with: .none)
        return loopServer.configuration.refusal(refusal.status, refusal.code, refusal.message, known)
    }

    /// Writes a refusal straight to the socket, where all earlier responses went before.
    private func write(_ response: Response) {
        let bytes = ResponseWriter.bytes(response, isHead: head.method == "HEAD", date: Int64(time(nil)))
        _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        // Closing a socket with unread input resets it and may destroy the response on its way: read on for a moment.
        loopServer.linger(on: dup(socket))
    }

    // MARK: Deadlines

    private func enter(_ phase: Phase, for wait: Int64, at now: Int64? = nil) {
        self.phase = phase
        since = now ?? loopServer.now
        deadline = since + wait
    }

    /// Looks at the socket itself, once a second: it costs system calls.
    func checkSocket(now: Int64) {
        guard phase != .closing, now >= nextCheck else { return }
        nextCheck = now + 1000
        // A client that waits for its response and closes its sending side has left, as far as the kernel shows.
        if phase == .handling, vitrine_has_left(socket) != 0 { handler?.cancel() }
        // libmicrohttpd does not notice that a client stops sending when the news comes together with bytes.
        if phase != .admission, phase != .handling, phase != .responding, vitrine_input(socket) < 0 { return cut() }
        if !isDelivered { checkDelivery(now: now) }
    }

    /// Ends the connection of a client that does not read its responses, or slower than the minimum rate.
    private func checkDelivery(now: Int64) {
        guard vitrine_unsent(socket) > 0 else {
            undelivered = nil
            isDelivered = phase != .responding
            return
        }
        guard let (since, acknowledged) = undelivered else {
            undelivered = (now, vitrine_acknowledged(socket))
            return
        }
        let wait = now - since
        guard wait >= loopServer.times.response else { return }
        let read = vitrine_acknowledged(socket)
        if read - acknowledged < UInt64(loopServer.times.minimumRate * wait / 1000) { return abort() }
        undelivered = (now, read)
    }

    /// Ends a wait that is over.
    func checkDeadline(now: Int64) {
        if phase == .body, loopServer.times.isTooSlow(body?.received ?? 0, in: now - since) { return cut() }
        guard deadline <= now else { return }
        switch phase {
        case .head, .idle: cut()
        case .body:
            let extended = since + loopServer.times.body + loopServer.times.allowance(forBytes: body?.received ?? 0)
            if extended > now { deadline = extended } else { cut() }
        case .admission, .handling, .responding, .closing: break
        }
    }

    /// Ends the connection; what was written before is still delivered.
    func cut() {
        shutdown(socket, Int32(SHUT_RDWR))
        loopServer.mustRun()
    }

    /// Gives up the response, so that its memory is free.
    func abandon() {
        held = nil
        abort()
    }

    /// Ends the connection at once with a reset, so that the kernel does not keep what nobody reads.
    private func abort() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        cut()
    }
}
