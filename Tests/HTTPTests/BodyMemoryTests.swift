// Tests that large bodies share a limited amount of memory: those beyond it wait unread, or get 503.
import HTTP
import Synchronization
import TestBasics
import Testing

@Suite("Memory of bodies")
struct BodyMemoryTests {
    private static let length = 100_000
    private static let body = String(repeating: "x", count: length)

    /// Counts requests that are handled, each until `open`.
    private final class Gate: Sendable {
        private struct State {
            var isOpen = false
            var passes = 0
            var addresses: [String] = []
            var now = 0
            var most = 0
            var done = 0
            var canceled = 0

            mutating func pass() -> Bool {
                if isOpen { return true }
                guard passes > 0 else { return false }
                passes -= 1
                return true
            }
        }

        private let state = Mutex(State())

        var now: Int { state.withLock { $0.now } }
        var most: Int { state.withLock { $0.most } }
        var done: Int { state.withLock { $0.done } }
        /// Of those that wait, the ones whose client is known to have left.
        var canceled: Int { state.withLock { $0.canceled } }

        /// Where the requests that were handled came from, in their order.
        var addresses: [String] { state.withLock { $0.addresses } }

        func letOnePass() { state.withLock { $0.passes += 1 } }
        func open() { state.withLock { $0.isOpen = true } }

        @Sendable func handle(_ request: Request) async -> Response {
            state.withLock { state in
                state.now += 1
                state.addresses.append(request.remoteAddress)
                state.most = max(state.most, state.now)
            }
            var isCanceled = false
            while !state.withLock({ $0.pass() }) {
                if Task.isCancelled, !isCanceled {
                    isCanceled = true
                    state.withLock { $0.canceled += 1 }
                }
                await request.loop.sleep(for: .milliseconds(5))
            }
            state.withLock { state in
                state.now -= 1
                state.done += 1
            }
            return .text("\(request.body.bytes.count)")
        }
    }

    /// A server with room for two bodies of known senders and one of others.
    private func withServer(
        _ gate: Gate, waiting: Int = 100, wait: Duration = .seconds(20), _ body: (Server) async throws -> Void
    ) async throws {
        try await HTTPTests.withServer(
            loops: 2,
            {
                $0.smallBody = 1000
                $0.bodyMemory = Self.length * 8 / 3
                $0.maxWaitingBodies = waiting
                $0.bodyWait = wait
                $0.admission = { $0.path == "/known" ? .known : .unknown }
            }, handler: { await gate.handle($0) }
        ) { try await body($0) }
    }

    private func send(
        _ port: Int, _ path: String = "/known", _ body: String = Self.body, from address: String = "127.0.0.1"
    ) -> RawClient {
        RawClient(port, from: address).send(
            "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        )
        .send(body)
    }

    @Test("S29: more large bodies than the memory allows wait for their turn, and all are served")
    func waiting() async throws {
        let gate = Gate()
        try await withServer(gate) { server in
            let clients = (0..<8).map { _ in send(server.port) }
            await until("two bodies are read") { gate.now == 2 }
            // Small bodies need no room.
            let small = send(server.port, "/known", "x")
            await until("the third body is read") { gate.now == 3 }
            #expect(gate.most == 3)
            gate.open()
            #expect(small.response()?.body == "1")
            for client in clients { #expect(client.response()?.body == "\(Self.length)") }
            #expect(gate.most <= 4)
        }
    }

    @Test("S29: beyond the queue and after the longest wait the response is 503 with Retry-After")
    func refused() async throws {
        let gate = Gate()
        try await withServer(gate, waiting: 1, wait: .milliseconds(300)) { server in
            let handled = [send(server.port), send(server.port)]
            await until("two bodies are read") { gate.now == 2 }
            let responses = [send(server.port), send(server.port)].map { $0.response() }
            #expect(responses.map { $0?.status } == [503, 503])
            #expect(responses.allSatisfy { $0?.header("Retry-After") == "5" })
            gate.open()
            for client in handled { #expect(client.response()?.status == 200) }
            // Their room is free again.
            await until("no body is read") { gate.now == 0 }
            for _ in 0..<3 { #expect(send(server.port).response()?.status == 200) }
        }
    }

    @Test("S29: unknown senders have memory of their own, keep no known sender waiting, and do not wait themselves")
    func unknown() async throws {
        let gate = Gate()
        try await withServer(gate) { server in
            let stranger = send(server.port, "/unknown", String(Self.body.prefix(60_000)))
            await until("one body is read") { gate.now == 1 }
            #expect(send(server.port, "/unknown", String(Self.body.prefix(60_000))).response()?.status == 503)
            let known = send(server.port)
            await until("two bodies are read") { gate.now == 2 }
            gate.open()
            for client in [stranger, known] { #expect(client.response()?.status == 200) }
        }
    }

    @Test("R13: of the bodies that wait, those of a network that holds none come next, also when the queue is full")
    func turns() async throws {
        let gate = Gate()
        try await withServer(gate, waiting: 4) { server in
            let handled = (0..<2).map { _ in send(server.port) }
            await until("two bodies are read") { gate.now == 2 }
            var waiting: [RawClient] = []
            // One by one, because two loops take them in any order.
            for number in 1...4 {
                waiting.append(send(server.port))
                await until("body \(number) waits") { server.waitingBodies == number }
            }
            let other = send(server.port, "/known", from: "127.0.0.2")
            // The newest of the many makes a place in the queue.
            #expect(waiting[3].response()?.status == 503)
            gate.letOnePass()
            await until("one body is done, two are read") { gate.done == 1 && gate.now == 2 }
            #expect(gate.addresses.last == "127.0.0.2")
            gate.open()
            for client in handled + waiting.prefix(3) + [other] { #expect(client.response()?.status == 200) }
        }
    }

    @Test("S29: a client that goes away while its request is handled frees no memory")
    func gone() async throws {
        let gate = Gate()
        try await withServer(gate) { server in
            do {
                let clients = [send(server.port), send(server.port)]
                await until("two bodies are read") { gate.now == 2 }
                withExtendedLifetime(clients) {}
            }
            let next = send(server.port)
            await until("both clients are known to have left, and the next body waits") {
                gate.canceled == 2 && server.waitingBodies == 1
            }
            #expect(gate.now == 2)
            gate.open()
            #expect(next.response()?.body == "\(Self.length)")
        }
    }
}
