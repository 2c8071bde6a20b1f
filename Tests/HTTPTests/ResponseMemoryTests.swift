// Tests that large responses which clients don't take have a limited amount of memory.
import HTTP
import Synchronization
import TestBasics
import Testing

@Suite("Memory of responses")
struct ResponseMemoryTests {
    /// More than the kernel keeps for a connection.
    private static let length = 20_000_000

    /// Sends a request whose response is not read, and waits until its memory is counted and it has begun.
    private static func ask(_ server: Server, from source: String) async -> RawClient {
        let client = RawClient(server.port, from: source).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await until("the response has begun") { client.hasBegun() }
        return client
    }

    @Test("S47: beyond the limit, the network that leaves most unread loses its oldest responses, others none")
    func unread() async throws {
        let handler: Handler = { _ in .bytes([UInt8](repeating: 65, count: Self.length), type: "text/plain") }
        try await withServer({ $0.responseMemory = 3 * Self.length }, handler: handler) { server in
            let oldest = await Self.ask(server, from: "127.0.0.2")
            let older = await Self.ask(server, from: "127.0.0.2")
            let newer = await Self.ask(server, from: "127.0.0.2")
            // Exactly the limit is unread: nothing is lost yet.
            #expect(server.connections == 3)
            let other = await Self.ask(server, from: "127.0.0.3")
            await until("one is given up") { server.connections == 3 }
            _ = oldest.rest()
            #expect(oldest.wasReset)
            for client in [other, older, newer] {
                #expect(client.response()?.body.utf8.count == Self.length)
            }
            // What has been read no longer counts.
            await until("all is read") { server.inFlight == 0 }
            for _ in 1...3 {
                let client = await Self.ask(server, from: "127.0.0.2")
                #expect(client.response()?.body.utf8.count == Self.length)
            }
        }
    }

    @Test("S47: a network whose only response is the new one leaves the limit as it is: the others make room")
    func largest() async throws {
        // Each is larger than those before.
        let count = Atomic(Self.length)
        let handler: Handler = { _ in
            let length = count.add(1, ordering: .relaxed).newValue
            return .bytes([UInt8](repeating: 65, count: length), type: "text/plain")
        }
        try await withServer({ $0.responseMemory = 3 * Self.length }, handler: handler) { server in
            var clients: [RawClient] = []
            for number in 1...5 {
                clients.append(await Self.ask(server, from: "127.0.0.\(number + 1)"))
                await until("what is unread stays within the limit") { server.connections == min(number, 2) }
            }
            #expect(clients[4].response()?.body.utf8.count == Self.length + 5)
        }
    }
}
