// Tests that large responses which clients don't take have a limited amount of memory.
import HTTP
import Synchronization
import TestBasics
import Testing

@Suite("Memory of responses")
struct ResponseMemoryTests {
    /// More than the kernel keeps for a connection.
    private static let length = 20_000_000

    private final class Counter: Sendable {
        private let number = Mutex(0)
        var now: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    /// Sends a request whose response is not read, and waits until it is handled.
    private static func ask(_ server: Server, from source: String, _ handled: Counter) async throws -> RawClient {
        let count = handled.now
        let client = RawClient(server.port, from: source).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await until("the request is handled") { handled.now == count + 1 }
        // Of two requests within a millisecond, either may be the older one.
        try await Task.sleep(for: .milliseconds(5))
        return client
    }

    @Test("S47: beyond the limit, the network that leaves most unread loses its oldest responses, others none")
    func unread() async throws {
        let handled = Counter()
        let handler: Handler = { _ in
            handled.add()
            return .bytes([UInt8](repeating: 65, count: Self.length), type: "text/plain")
        }
        try await withServer({ $0.responseMemory = 3 * Self.length }, handler: handler) { server in
            let oldest = try await Self.ask(server, from: "127.0.0.2", handled)
            let older = try await Self.ask(server, from: "127.0.0.2", handled)
            let newer = try await Self.ask(server, from: "127.0.0.2", handled)
            // Exactly the limit is unread: nothing is lost yet.
            try await Task.sleep(for: .milliseconds(50))
            #expect(server.connections == 3)
            let other = try await Self.ask(server, from: "127.0.0.3", handled)
            await until("one is given up") { server.connections == 3 }
            _ = oldest.rest()
            #expect(oldest.wasReset)
            for client in [other, older, newer] {
                #expect(client.response()?.body.utf8.count == Self.length)
            }
            // What has been read no longer counts.
            await until("all is read") { server.inFlight == 0 }
            for _ in 1...3 {
                let client = try await Self.ask(server, from: "127.0.0.2", handled)
                #expect(client.response()?.body.utf8.count == Self.length)
            }
        }
    }

    @Test("S47: a network whose only response is the new one leaves the limit as it is: the others make room")
    func largest() async throws {
        let handled = Counter()
        // Each is larger than those before.
        let handler: Handler = { _ in
            handled.add()
            return .bytes([UInt8](repeating: 65, count: Self.length + handled.now), type: "text/plain")
        }
        try await withServer({ $0.responseMemory = 3 * Self.length }, handler: handler) { server in
            var clients: [RawClient] = []
            for number in 1...5 {
                clients.append(try await Self.ask(server, from: "127.0.0.\(number + 1)", handled))
                await until("what is unread stays within the limit") { server.connections == min(number, 2) }
            }
            #expect(clients[4].response()?.body.utf8.count == Self.length + 5)
        }
    }
}
