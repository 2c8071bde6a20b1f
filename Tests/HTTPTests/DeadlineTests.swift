// Tests that slow clients are disconnected, however slowly they send.
import EventLoop
import Glibc
import HTTP
import Synchronization
import TestBasics
import Testing

@Suite("Deadlines")
struct DeadlineTests {
    /// Sends `piece` every 20 ms until the server closes the connection; gives up after a while.
    private func trickle(_ piece: String, on client: RawClient) -> Bool {
        for _ in 0..<500 * Patience.factor {
            client.send(piece)
            usleep(20_000)
            if client.hasEnded() { return true }
        }
        return false
    }

    @Test("S28: a client that sends headers too slowly is disconnected")
    func headers() async throws {
        try await withServer({ $0.headerTimeout = .milliseconds(300 * Patience.factor) }) { server in
            let client = RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n")
            #expect(trickle("X: y\r\n", on: client))
        }
    }

    @Test("S28: a connection that never sends anything is closed")
    func silence() async throws {
        try await withServer({ $0.headerTimeout = .milliseconds(300 * Patience.factor) }) { server in
            let client = RawClient(server.port)
            #expect(client.rest().isEmpty && client.isAtEnd)
        }
    }

    @Test("S28: headers sent too slowly on a kept-alive connection close it")
    func keptHeaders() async throws {
        try await withServer({ $0.headerTimeout = .milliseconds(300 * Patience.factor) }) { server in
            let client = RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.response()?.status == 200)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n")
            #expect(trickle("X: y\r\n", on: client))
        }
    }

    @Test("S28: a client that sends its body too slowly is disconnected")
    func body() async throws {
        try await withServer({ $0.bodyTimeout = .milliseconds(300 * Patience.factor) }) { server in
            let client = RawClient(server.port).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
            #expect(trickle(" ", on: client))
        }
    }

    @Test("S28: a body at the minimum rate is accepted, however long it takes")
    func steadyBody() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.bodyTimeout = .milliseconds(300 * Patience.factor)
            $0.minimumRate = 100
        }
        try await withServer(configure) { server in
            let client = RawClient(server.port).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000\r\n\r\n")
            for _ in 0..<40 {
                client.send(String(repeating: "x", count: 100))
                usleep(20_000)
            }
            #expect(client.response()?.status == 200)
        }
    }

    @Test("S28: an idle kept-alive connection is closed")
    func idle() async throws {
        try await withServer({ $0.idleTimeout = .milliseconds(300 * Patience.factor) }) { server in
            let client = RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.response()?.status == 200)
            #expect(client.rest().isEmpty && client.isAtEnd)
        }
    }

    @Test("S28: a client that never reads its response is disconnected with a reset")
    func unread() async throws {
        let isAsked = Mutex(false)
        let handler: Handler = { _ in
            isAsked.withLock { $0 = true }
            return .bytes([UInt8](repeating: 65, count: 20_000_000), type: "text/plain")
        }
        let configure: (inout ServerConfiguration) -> Void = {
            $0.responseTimeout = .milliseconds(300 * Patience.factor)
        }
        try await withServer(configure, handler: handler) { server in
            let client = RawClient(server.port, receiveBuffer: 4096).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await until("the client is disconnected") { isAsked.withLock { $0 } && server.connections == 0 }
            _ = client.rest()
            #expect(client.wasReset)
        }
    }

    @Test("S28: a handler that takes longer than every deadline is not interrupted")
    func slowHandler() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.headerTimeout = .milliseconds(100 * Patience.factor)
            $0.bodyTimeout = .milliseconds(100 * Patience.factor)
            $0.responseTimeout = .milliseconds(100 * Patience.factor)
            $0.idleTimeout = .milliseconds(100 * Patience.factor)
        }
        let handler: Handler = { request in
            await request.loop.sleep(for: .milliseconds(400 * Patience.factor))
            return .text("done")
        }
        try await withServer(configure, handler: handler) { server in
            #expect(RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").response()?.body == "done")
        }
    }

    @Test("S47: the handler of a client that has left is canceled, also when more of its requests have come")
    func leftWhileHandled() async throws {
        let (began, canceled, ended) = (Count(), Count(), Count())
        let handler: Handler = { request in
            guard request.path == "/wait" else { return .text("done") }
            began.add()
            try? await Task.sleep(for: .seconds(600))
            if Task.isCancelled { canceled.add() }
            ended.add()
            return .text("late")
        }
        try await withServer(handler: handler) { server in
            let request = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"
            var clients = (0..<8).map { RawClient(server.port).send($0 < 4 ? request : request + request) }
            await until("all are handled") { began.number == 8 }
            clients.removeAll()
            await until("all are canceled") { ended.number >= 8 }
            #expect(canceled.number >= 8)
            #expect(RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").response()?.body == "done")
            await until("no connection is left") { server.connections == 0 }
        }
    }

    @Test("S47: the handler of a client that has left ends what it has begun to change")
    func leftAfterChange() async throws {
        let (began, canceled, ended) = (Count(), Count(), Count())
        let handler: Handler = { request in
            if request.path == "/changes" { try? CancelUntilCommit.willCommit() }
            began.add()
            // Longer than the loop takes to see that the client has left.
            for _ in 0..<40 where !Task.isCancelled { await request.loop.sleep(for: .milliseconds(100)) }
            if Task.isCancelled { canceled.add() }
            ended.add()
            return .text("done")
        }
        try await withServer(handler: handler) { server in
            for (path, expected) in [("/changes", 0), ("/waits", 1)] {
                let already = began.number
                var client: RawClient? = RawClient(server.port)
                client?.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
                await until("it is handled") { began.number == already + 1 }
                client = nil
                await until("it has ended") { ended.number == already + 1 }
                #expect(canceled.number == expected, "\(path)")
            }
        }
    }

    @Test("A client that disconnects in the middle of a request is detected")
    func goneAway() async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
            client.finishSending()
            #expect(client.rest().isEmpty && client.isAtEnd)
        }
    }
}

private final class Count: Sendable {
    private let value = Atomic(0)
    var number: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
}
