// Proves that a server that stops loses no request that has begun.
import EventLoop
import HTTP
import Synchronization
import Testing

@Suite("Draining a server")
struct DrainTests {
    private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test("R7: requests in flight are finished, with Connection: close, and new connections are refused")
    func finishes() async throws {
        let isReleased = Atomic(false)
        let handler: Handler = { request in
            while request.path == "/wait", !isReleased.load(ordering: .relaxed) {
                await request.loop.sleep(for: .milliseconds(5))
            }
            return .text(request.path)
        }
        try await withServer(handler: handler) { server in
            let busy = (0..<20).map { _ in RawClient(server.port).send(get("/wait")) }
            let kept = RawClient(server.port)
            #expect(kept.send(get("/")).answer()?.status == 200)
            await until { server.inFlight >= 20 }
            async let drained: Void = server.drain(grace: .seconds(30))
            await until { RawClient(server.port).isAtEnd }
            isReleased.store(true, ordering: .relaxed)
            await drained
            for client in busy {
                let answer = client.answer()
                #expect(answer?.body == "/wait")
                #expect(answer?.header("Connection")?.lowercased() == "close")
            }
            #expect(kept.rest().isEmpty && kept.isAtEnd && !kept.wasReset)
            #expect(server.connections == 0 && server.inFlight == 0)
        }
    }

    @Test("R7: connections that are established but not yet accepted are answered")
    func backlog() async throws {
        try await withServer { server in
            let clients = (0..<200).map { _ in RawClient(server.port).send(get("/later")) }
            await server.drain(grace: .seconds(10))
            #expect(clients.allSatisfy { $0.answer()?.status == 200 })
        }
    }

    @Test("R7: a body that is on its way is still taken")
    func bodyUnderWay() async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab")
            await until { server.inFlight >= 1 }
            async let drained: Void = server.drain(grace: .seconds(10))
            client.send("cd")
            #expect(client.answer()?.body == "POST / body:abcd")
            await drained
        }
    }

    @Test("R7: a request sent on a kept connection just after the drain began is answered")
    func lastCall() async throws {
        try await withServer { server in
            let client = RawClient(server.port)
            #expect(client.send(get("/")).answer()?.status == 200)
            async let drained: Void = server.drain(grace: .seconds(10))
            #expect(client.send(get("/last")).answer()?.body == "GET /last")
            await drained
        }
    }

    @Test("A handler that outlives the grace time is answered for with 503, and may end later")
    func graceIsOver() async throws {
        let isReleased = Atomic(false)
        let gate = ThreadGate()
        let handler: Handler = { request in
            while !isReleased.load(ordering: .relaxed) { await request.loop.sleep(for: .milliseconds(5)) }
            gate.open()
            return .text("late")
        }
        try await withServer(handler: handler) { server in
            let client = RawClient(server.port).send(get("/x"))
            await until { server.inFlight >= 1 }
            await server.drain(grace: .milliseconds(50))
            #expect(client.answer()?.body == "stopping /x")
            #expect(client.rest().isEmpty && client.isAtEnd)
            isReleased.store(true, ordering: .relaxed)
            gate.wait()
        }
    }
}
