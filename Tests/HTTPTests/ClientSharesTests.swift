// Tests that one client can't take connections from others.
import Glibc
import HTTP
import Testing

@Suite("Shares of clients")
struct ClientSharesTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let slowBody = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx"

    private static func milliseconds(_ work: () -> Void) -> Double {
        let began = ContinuousClock.now
        work()
        return (ContinuousClock.now - began) / .milliseconds(1)
    }

    @Test("R13: many slow bodies of unknown senders that take all connections make room for another client at once")
    func slowBodies() async throws {
        try await withServer({ $0.maxConnections = 64 }) { server in
            var slow = (0..<64).map { _ in RawClient(server.port).send(Self.slowBody) }
            for _ in 0..<5 {
                let wait = Self.milliseconds {
                    #expect(RawClient(server.port).send(Self.get).response()?.status == 200)
                }
                #expect(wait < 1000, "\(wait) ms")
                // The same clients come back.
                slow += (0..<32).map { _ in RawClient(server.port).send(Self.slowBody) }
            }
            _ = slow
        }
    }

    @Test("R13: the sender of a body who is known keeps its connection when others are given up")
    func admitted() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.maxConnections = 16
            $0.smallBody = 5000
            $0.admission = { _ in .known }
        }
        try await withServer(configure) { server in
            let known = RawClient(server.port, from: "127.0.0.2")
                .send(
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6000\r\n\r\n" + String(repeating: "x", count: 5999))
            let slow = (0..<32).map { _ in RawClient(server.port).send(Self.slowBody) }
            try await Task.sleep(for: .milliseconds(1200))
            #expect(RawClient(server.port).send(Self.get).response()?.status == 200)
            known.send("x")
            #expect(known.response()?.status == 200)
            _ = slow
        }
    }

    @Test("R13: idle connections of a network with few are kept while another network has many")
    func crowd() async throws {
        try await withServer({ $0.maxConnections = 40 }) { server in
            let other = RawClient(server.port, from: "127.0.0.2").send(Self.get)
            #expect(other.response()?.status == 200)
            let many = (0..<80).map { _ in RawClient(server.port).send(Self.slowBody) }
            #expect(RawClient(server.port, from: "127.0.0.3").send(Self.get).response()?.status == 200)
            other.send(Self.get)
            #expect(other.response()?.status == 200)
            _ = many
        }
    }

    @Test(
        "S28: a body that comes more slowly than the minimum rate after the grace time is cut off before its deadline")
    func minimumRate() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.bodyGrace = .milliseconds(300)
            $0.minimumBodyRate = 1000
        }
        try await withServer(configure) { server in
            let slow = RawClient(server.port).send(Self.slowBody)
            let steady = RawClient(server.port).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n")
            let wait = Self.milliseconds {
                for _ in 0..<30 {
                    steady.send(String(repeating: "x", count: 100))
                    slow.send("x")
                    usleep(50_000)
                }
            }
            #expect(steady.response()?.status == 200)
            #expect(slow.rest().isEmpty && slow.isAtEnd)
            #expect(wait < 15_000, "before the deadline of a body")
        }
    }

    @Test(
        "R13: behind a proxy each client has a share of the requests in flight, and the proxy's connections have none")
    func proxied() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.maxConnections = 16
            $0.isProxy = { $0 == "127.0.0.1" }
            $0.clientAddress = { peer, headers in headers["X-Forwarded-For"] ?? peer }
        }
        try await withServer(configure) { server in
            func send(_ client: String) -> RawClient {
                RawClient(server.port).send("GET /sleep HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(client)\r\n\r\n")
            }
            let busy = (0..<6).map { _ in send("192.0.2.1") }
            let other = send("192.0.2.2")
            let statuses = busy.compactMap { $0.response()?.status }
            #expect(statuses.count { $0 == 200 } == 4 && statuses.count { $0 == 429 } == 2, "a quarter of 16")
            #expect(other.response()?.status == 200)
            #expect(send("192.0.2.1").response()?.status == 200)
        }
    }
}
