// Proves that connections are kept, answered in order, counted and drained.
import EventLoop
import Glibc
import HTTP
import Testing

@Suite("Server")
struct ServerTests {
    private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test("A connection is kept for the next request, whether the handler waits or not")
    func keepAlive() async throws {
        try await withServer { server in
            let client = RawClient(server.port)
            for path in ["/a", "/later/b", "/c", "/later/d"] {
                #expect(client.send(get(path)).answer()?.body == "GET " + path)
            }
            #expect(
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx" + get("/e")).answer()?.status
                    == 200)
            #expect(client.answer()?.body == "GET /e")
        }
    }

    @Test("The client's address is what the configuration makes of the peer's and the head")
    func clientAddress() async throws {
        try await withServer {
            $0.clientAddress = { peer, headers in peer + "+" + headers.all("X-From").joined(separator: "+") }
        } handler: {
            .text($0.remoteAddress)
        } _: { server in
            let client = RawClient(server.port)
            #expect(client.send(get("/")).answer()?.body == "127.0.0.1+")
            client.send("GET / HTTP/1.1\r\nHost: a\r\nX-From: a\r\nX-From: b\r\n\r\n")
            #expect(client.answer()?.body == "127.0.0.1+a+b")
        }
    }

    @Test("Requests sent at once are answered in order")
    func pipelining() async throws {
        try await withServer { server in
            let paths = (0..<300).map { $0 % 3 == 0 ? "/later/\($0)" : "/\($0)" }
            let client = RawClient(server.port).send(paths.map(get).joined())
            #expect(paths.map { _ in client.answer()?.body } == paths.map { "GET " + $0 })
        }
    }

    @Test("What needs no waiting is answered in place, in order with what the handler answers")
    func notModifiedFastPath() async throws {
        try await withServer {
            $0.notModifiedFastPath = { $0.path.hasPrefix("/known") ? .text("at once " + $0.path) : nil }
        } _: { server in
            let paths = (0..<300).map { ["/later/\($0)", "/known/\($0)", "/\($0)"][$0 % 3] }
            let bodies = paths.map { ($0.hasPrefix("/known") ? "at once " : "GET ") + $0 }
            let together = RawClient(server.port).send(paths.map(get).joined())
            #expect(paths.map { _ in together.answer()?.body } == bodies)
            let oneByOne = RawClient(server.port)
            #expect(paths.map { oneByOne.send(get($0)).answer()?.body } == bodies)
            #expect(server.inFlight == 0)
        }
    }

    @Test("A request that comes byte by byte is understood")
    func byteByByte() async throws {
        try await withServer { server in
            let client = RawClient(server.port)
            for byte in get("/slow").utf8 { client.send([byte]) }
            #expect(client.answer()?.body == "GET /slow")
        }
    }

    @Test("HEAD gets the head of GET, with its length and without a body")
    func head() async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n" + get("/next"))
            #expect(client.answer(toHead: true)?.header("Content-Length") == "7")
            #expect(client.answer()?.body == "GET /next")
        }
    }

    @Test("HTTP/1.0 and Connection: close end the connection after the answer")
    func close() async throws {
        try await withServer { server in
            for request in ["GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"] {
                let client = RawClient(server.port).send(request)
                #expect(client.answer()?.status == 200)
                #expect(client.rest().isEmpty && client.isAtEnd)
            }
        }
    }

    @Test("A client that has closed its sending side still gets its answer")
    func halfClose() async throws {
        try await withServer { server in
            for path in ["/", "/later", "/sleep"] {
                let client = RawClient(server.port).send(get(path))
                client.finishSending()
                #expect(client.answer()?.body == "GET " + path)
                #expect(client.rest().isEmpty && client.isAtEnd)
            }
        }
    }

    @Test("S24, S25: every answer forbids sniffing, refusals too, and none names the server")
    func headers() async throws {
        try await withServer { server in
            for request in [get("/"), "GET / HTTP/1.1\r\n\r\n"] {
                let answer = RawClient(server.port).send(request).answer()
                #expect(answer?.header("X-Content-Type-Options") == "nosniff")
                #expect(answer?.header("Content-Type") == "text/plain; charset=utf-8")
                #expect(answer?.header("Server") == nil)
            }
        }
    }

    @Test("A refusal is rendered by the configuration, with the path where it was understood")
    func refusals() async throws {
        try await withServer { server in
            let request = "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Encoding: br\r\n\r\n"
            #expect(RawClient(server.port).send(request).answer()?.body == "encoding_not_supported /v1/x")
            #expect(RawClient(server.port).send("GET /x HTTP/1.2\r\n\r\n").answer()?.body == "version_not_supported -")
        }
    }

    @Test("Large answers and files arrive whole, and a file that is gone is 500")
    func largeAnswers() async throws {
        let path = "/tmp/vitrine-http-test-\(getpid())"
        let text = String((0..<300_000).map { "\($0)" }.joined().prefix(1_000_000))
        let file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        var bytes = Array(text.utf8)
        #expect(write(file, &bytes, bytes.count) == bytes.count)
        Glibc.close(file)
        let size = bytes.count
        let handler: Handler = { request in
            switch request.path {
            case "/bytes": .text(text)
            case "/file": Response(status: 200, body: .file(path: path, size: size))
            default: Response(status: 200, body: .file(path: path + "-gone", size: 1))
            }
        }
        try await withServer(handler: handler) { server in
            let client = RawClient(server.port).send(get("/bytes") + get("/file") + get("/gone"))
            #expect(client.answer()?.body == text)
            #expect(client.answer()?.body == text)
            #expect(client.answer()?.status == 500)
        }
        unlink(path)
    }

    @Test("Many connections are answered at once by two loops")
    func manyConnections() async throws {
        try await withServer(loops: 2) { server in
            let clients = (0..<300).map { _ in RawClient(server.port) }
            for (index, client) in clients.enumerated() { client.send(get("/later/\(index)")) }
            let bodies = clients.map { $0.answer()?.body }
            #expect(bodies == clients.indices.map { "GET /later/\($0)" })
            #expect(server.connections == 300)
        }
    }

    @Test("The address of the client and different request ids are told")
    func requestObservations() async throws {
        let handler: Handler = { .text("\($0.remoteAddress) \($0.id) \($0.rawTarget) \($0.cookies["a"] ?? "-")") }
        try await withServer(handler: handler) { server in
            let client = RawClient(server.port)
            let request = "GET /%61?b=%20 HTTP/1.1\r\nHost: a\r\nCookie: a=1; a=2\r\n\r\n"
            let texts = (0..<2).compactMap { _ in client.send(request).answer()?.body.split(separator: " ") }
            #expect(texts.count == 2)
            #expect(texts.allSatisfy { $0[0] == "127.0.0.1" && $0[1].count == 13 && $0[2...] == ["/%61?b=%20", "1"] })
            #expect(texts[0][1] != texts[1][1])
        }
    }

    @Test("A server that nobody holds goes on answering")
    func notHeld() throws {
        let loop = EventLoop(name: "not-held")
        loop.start()
        func start() throws -> Int {
            let server = Server(configuration: ServerConfiguration(), loops: [loop], handler: echo)
            try server.start()
            return server.port
        }
        let port = try start()
        #expect(RawClient(port).send(get("/a")).answer()?.body == "GET /a")
        loop.stop()
    }

    @Test("A busy port is an error that says so")
    func busyPort() async throws {
        try await withServer { server in
            let loop = EventLoop(name: "second")
            loop.start()
            let configuration = ServerConfiguration(port: server.port)
            let second = Server(configuration: configuration, loops: [loop], handler: echo)
            #expect(throws: ServerError.portBusy(host: "127.0.0.1", port: server.port)) { try second.start() }
            loop.stop()
        }
    }

    @Test("An address that is not this machine's is an error that says so", arguments: ["192.0.2.1", "no such host"])
    func foreignAddress(host: String) {
        let loop = EventLoop(name: "foreign")
        let server = Server(configuration: ServerConfiguration(host: host), loops: [loop], handler: echo)
        #expect(throws: ServerError.unknownHost(host)) { try server.start() }
        loop.start()
        loop.stop()
    }
}
