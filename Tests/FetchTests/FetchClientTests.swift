// Tests requests to a real server on this machine, and to names that resolve to internal IP addresses.
import EventLoop
import Fetch
import HTTP
import Testing

@Suite("Requests to other servers")
struct FetchClientTests {
    private func withServer(
        _ handler: @escaping Handler, _ body: (Server, FetchClient) async throws -> Void
    ) async throws {
        let loop = EventLoop(name: "receiver")
        loop.start()
        let server = Server(configuration: ServerConfiguration(), loops: [loop], handler: handler)
        try server.start()
        let exception = try #require(FetchPolicy.Exception("127.0.0.1:\(server.port)"))
        let client = FetchClient(
            policy: FetchPolicy(allowsHTTP: true, ports: [server.port], exceptions: [exception]), threads: 2)
        do {
            try await body(server, client)
            await server.drain(grace: .zero)
        } catch {
            await server.drain(grace: .zero)
            throw error
        }
        loop.stop()
    }

    @Test("A body and headers arrive, and the response is returned")
    func echo() async throws {
        try await withServer({ request in
            Response.text(
                "\(request.method) \(request.headers["X-One"] ?? "-") \(request.body.bytes.count)", status: 201)
        }) { server, client in
            let response = try await client.post(
                "http://127.0.0.1:\(server.port)/x", headers: [("X-One", "1"), ("Content-Type", "application/json")],
                body: Array("hello".utf8))
            #expect(response.status == 201)
            #expect(String(decoding: response.body, as: UTF8.self) == "POST 1 5")
            #expect(response.retryAfter == nil)
        }
    }

    @Test("S33, S34: a response is truncated, a redirect is not followed, Retry-After is reported")
    func responses() async throws {
        try await withServer({ request in
            switch request.path {
            case "/long": Response.bytes([UInt8](repeating: 65, count: 1 << 20), type: "text/plain")
            case "/busy": Response.status(503).with("Retry-After", "17")
            default: Response.redirect(302, to: "/long")
            }
        }) { server, client in
            let address = "http://127.0.0.1:\(server.port)"
            let long = try await client.post(address + "/long", headers: [], body: [])
            #expect(long.status == 200 && long.body.count == FetchClient.responseLimit)
            let moved = try await client.post(address + "/", headers: [], body: [])
            #expect(moved.status == 302 && moved.body.count < 1000)
            #expect(moved.redirect == address + "/long" && long.redirect == nil)
            let busy = try await client.post(address + "/busy", headers: [], body: [])
            #expect(busy.status == 503 && busy.retryAfter == 17)
        }
    }

    @Test("S33: a file is fetched completely or not at all, and redirects are not followed")
    func files() async throws {
        try await withServer({ request in
            switch request.path {
            case "/file": Response.bytes([UInt8](repeating: 65, count: 1000), type: "text/csv")
            case "/gone": Response.status(404)
            default: Response.redirect(302, to: "/file")
            }
        }) { server, client in
            let address = "http://127.0.0.1:\(server.port)"
            let whole = try await client.file(at: address + "/file", limit: 1000)
            #expect(whole.count == 1000)
            for (path, limit) in [("/file", 999), ("/gone", 1000), ("/moved", 1000)] {
                await #expect(throws: FetchFailure.self) { try await client.file(at: address + path, limit: limit) }
            }
            let strict = FetchClient(policy: FetchPolicy(), threads: 1)
            for inside in [address + "/file", "https://127.0.0.1/file", "https://localhost/file", "file:///etc/passwd"]
            {
                await #expect(throws: FetchRefusal.self) { try await strict.file(at: inside) }
            }
        }
    }

    @Test(
        "S33: a name that resolves to an internal IP address is rejected when the socket is opened",
        arguments: ["localhost", "127.0.0.1"])
    func inside(host: String) async throws {
        try await withServer({ _ in Response.text("reached") }) { server, _ in
            let client = FetchClient(policy: FetchPolicy(allowsHTTP: true, ports: [server.port]))
            await #expect(throws: FetchRefusal.self) {
                try await client.post("http://\(host):\(server.port)/", headers: [], body: [])
            }
        }
    }

    @Test("An unreachable server is a failure with a message, and many waiting requests use few threads")
    func unreachable() async throws {
        try await withServer({ _ in Response.text("here") }) { server, client in
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let address = "http://127.0.0.1:\(server.port)/"
                        return (try? await client.post(address, headers: [], body: []).status) ?? 0
                    }
                }
                for await status in group { #expect(status == 200) }
            }
            await server.drain(grace: .zero)
            await #expect(throws: FetchFailure.self) {
                try await client.post("http://127.0.0.1:\(server.port)/", headers: [], body: [])
            }
        }
    }
}
