// Tests that a stopping server loses no request that has begun.
import EventLoop
import HTTP
import Synchronization
import TestBasics
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
            #expect(kept.send(get("/")).response()?.status == 200)
            await until("20 requests are in flight") { server.inFlight >= 20 }
            async let drained: Void = server.drain(grace: .seconds(30))
            await until("new connections are refused") { RawClient(server.port).isAtEnd }
            isReleased.store(true, ordering: .relaxed)
            await drained
            for client in busy {
                let response = client.response()
                #expect(response?.body == "/wait")
                #expect(response?.header("Connection")?.lowercased() == "close")
            }
            #expect(kept.rest().isEmpty && kept.isAtEnd && !kept.wasReset)
            #expect(server.connections == 0 && server.inFlight == 0)
        }
    }

    @Test("R7: established connections that are not yet accepted get a response")
    func backlog() async throws {
        try await withServer { server in
            let clients = (0..<200).map { _ in RawClient(server.port).send(get("/later")) }
            await server.drain(grace: .seconds(10))
            #expect(clients.allSatisfy { $0.response()?.status == 200 })
        }
    }

    @Test("Another server takes over a listening socket: no connection is refused or lost meanwhile")
    func takeover() async throws {
        let loop = EventLoop(name: "test")
        loop.start()
        let listening = try ListeningSocket(host: "127.0.0.1", port: 0)
        func server(_ text: String) throws -> Server {
            let server = Server(configuration: ServerConfiguration(), loops: [loop]) { _ in .text(text) }
            try server.start(on: listening)
            return server
        }
        let first = try server("first")
        let kept = RawClient(listening.port)
        #expect(kept.send(get("/")).response()?.body == "first")
        await first.drain(grace: .seconds(30), keepsListening: true)
        #expect(kept.rest().isEmpty && kept.isAtEnd && !kept.wasReset)
        let waiting = RawClient(listening.port).send(get("/"))
        let second = try server("second")
        #expect(waiting.response()?.body == "second" && second.port == listening.port)
        await second.drain(grace: .zero)
        #expect(RawClient(listening.port).isAtEnd)
        loop.stop()
    }

    @Test("R7: a body in transit is still received")
    func bodyUnderWay() async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab")
            await until("the request is in flight") { server.inFlight >= 1 }
            async let drained: Void = server.drain(grace: .seconds(10))
            client.send("cd")
            #expect(client.response()?.body == "POST / body:abcd")
            await drained
        }
    }

    @Test("R7: a request on a kept-alive connection just after the drain began gets a response")
    func lastCall() async throws {
        try await withServer { server in
            let client = RawClient(server.port)
            #expect(client.send(get("/")).response()?.status == 200)
            async let drained: Void = server.drain(grace: .seconds(10))
            #expect(client.send(get("/last")).response()?.body == "GET /last")
            await drained
        }
    }

    @Test("A handler that exceeds the drain timeout is replaced by a 503, and may end later")
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
            await until("the request is in flight") { server.inFlight >= 1 }
            await server.drain(grace: .milliseconds(50))
            #expect(client.response()?.body == "stopping /x")
            #expect(client.rest().isEmpty && client.isAtEnd)
            isReleased.store(true, ordering: .relaxed)
            gate.wait()
        }
    }
}
