// Proves that slow clients are cut off, however they trickle.
import Glibc
import HTTP
import Testing

@Suite("Deadlines")
struct DeadlineTests {
    /// Sends `piece` every 20 ms until the server has closed the connection; gives up after ten seconds.
    private func trickle(_ piece: String, on client: RawClient) -> Bool {
        for _ in 0..<500 {
            client.send(piece)
            usleep(20_000)
            if client.hasEnded() { return true }
        }
        return false
    }

    @Test("S28: headers that trickle are cut off")
    func headers() async throws {
        try await withServer({ $0.headerTimeout = .milliseconds(300) }) { server in
            let client = RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n")
            #expect(trickle("X: y\r\n", on: client))
        }
    }

    @Test("S28: a connection that never speaks is cut off")
    func silence() async throws {
        try await withServer({ $0.headerTimeout = .milliseconds(300) }) { server in
            let client = RawClient(server.port)
            #expect(client.rest().isEmpty && client.isAtEnd)
        }
    }

    @Test("S28: headers that trickle on a kept connection are cut off")
    func keptHeaders() async throws {
        try await withServer({ $0.headerTimeout = .milliseconds(300) }) { server in
            let client = RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.answer()?.status == 200)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n")
            #expect(trickle("X: y\r\n", on: client))
        }
    }

    @Test("S28: a body that trickles is cut off")
    func body() async throws {
        try await withServer({ $0.bodyTimeout = .milliseconds(300) }) { server in
            let client = RawClient(server.port).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
            #expect(trickle(" ", on: client))
        }
    }

    @Test("S28: a body that comes at the minimum rate is taken, however long it takes")
    func steadyBody() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.bodyTimeout = .milliseconds(300)
            $0.minimumRate = 100
        }
        try await withServer(configure) { server in
            let client = RawClient(server.port).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000\r\n\r\n")
            for _ in 0..<40 {
                client.send(String(repeating: "x", count: 100))
                usleep(20_000)
            }
            #expect(client.answer()?.status == 200)
        }
    }

    @Test("S28: a kept connection that is not used is cut off")
    func idle() async throws {
        try await withServer({ $0.idleTimeout = .milliseconds(300) }) { server in
            let client = RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.answer()?.status == 200)
            #expect(client.rest().isEmpty && client.isAtEnd)
        }
    }

    @Test("S28: a client that never reads its answer is cut off with a reset")
    func unread() async throws {
        let handler: Handler = { _ in .bytes([UInt8](repeating: 65, count: 20_000_000), type: "text/plain") }
        let configure: (inout ServerConfiguration) -> Void = { $0.answerTimeout = .milliseconds(300) }
        try await withServer(configure, handler: handler) { server in
            let client = RawClient(server.port, receiveBuffer: 4096).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            for _ in 0..<500 where server.connections > 0 || server.inFlight == 0 { usleep(20_000) }
            #expect(server.connections == 0)
            _ = client.rest()
            #expect(client.wasReset)
        }
    }

    @Test("S28: a handler that takes longer than every deadline is waited for")
    func slowHandler() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.headerTimeout = .milliseconds(100)
            $0.bodyTimeout = .milliseconds(100)
            $0.answerTimeout = .milliseconds(100)
            $0.idleTimeout = .milliseconds(100)
        }
        let handler: Handler = { request in
            await request.loop.sleep(for: .milliseconds(1500))
            return .text("done")
        }
        try await withServer(configure, handler: handler) { server in
            #expect(RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").answer()?.body == "done")
        }
    }

    @Test("A client that goes away in the middle of a request is noticed")
    func goneAway() async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
            client.finishSending()
            #expect(client.rest().isEmpty && client.isAtEnd)
        }
    }
}
