// Tests that networks take turns on a loop.
import EventLoop
import Glibc
import HTTP
import Synchronization
import TestBasics
import Testing

@Suite("Turns of networks")
struct NetworkTurnTests {
    private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test("S47: many slow requests of one network, read together, hold up another network by two of them")
    func turns() async throws {
        let handled = Mutex<[String]>([])
        let isReleased = Mutex(false)
        try await withServer(handler: { request in
            handled.withLock { $0.append(request.remoteAddress) }
            if request.path == "/block" { while !isReleased.withLock({ $0 }) { usleep(100) } }
            // Longer than a turn.
            if request.path == "/slow" { usleep(3000) }
            return .text("")
        }) { server in
            // Whatever the order in which the loop reads: one of the others is the first to send, one the last.
            let others = (0..<2).map { _ in RawClient(server.port, from: "127.0.0.8") }
            let many = (0..<10).map { _ in RawClient(server.port, from: "127.0.0.9") }
            let clients = [others[0]] + many + [others[1]]
            for client in clients { #expect(client.send(get("/")).response()?.status == 200) }
            handled.withLock { $0 = [] }
            let blocking = RawClient(server.port, from: "127.0.0.7").send(get("/block"))
            await until("the loop is blocked") { handled.withLock { !$0.isEmpty } }
            for client in clients { client.send(get("/slow")) }
            isReleased.withLock { $0 = true }
            for client in clients + [blocking] { #expect(client.response()?.status == 200) }
        }
        let order = handled.withLock { $0.dropFirst() }
        #expect(order.count == 12)
        #expect(order.prefix(5).count { $0 == "127.0.0.8" } == 2, "\(order)")
    }

    @Test("A form that is not text is refused when its turn comes, too, and ends the connection")
    func refusal() async throws {
        let isReleased = Mutex(false)
        let isBlocked = Mutex(false)
        try await withServer(handler: { request in
            if request.path == "/block" {
                isBlocked.withLock { $0 = true }
                while !isReleased.withLock({ $0 }) { usleep(100) }
            }
            if request.path == "/slow" { usleep(3000) }
            return .text("")
        }) { server in
            let clients = (0..<6).map { _ in RawClient(server.port) }
            for client in clients { #expect(client.send(get("/")).response()?.status == 200) }
            let blocking = RawClient(server.port).send(get("/block"))
            await until("the loop is blocked") { isBlocked.withLock { $0 } }
            for client in clients.dropLast() { client.send(get("/slow")) }
            let form = "a=%zz"
            clients[5].send(
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: \(form.count)\r\n\r\n\(form)"
            )
            isReleased.withLock { $0 = true }
            for client in clients.dropLast() + [blocking] { #expect(client.response()?.status == 200) }
            #expect(clients[5].response()?.status == 400)
            #expect(clients[5].response() == nil)
            #expect(clients[5].isAtEnd)
        }
    }
}
