// Tests that connections are kept alive, answered in order, counted and drained.
import EventLoop
import Glibc
import HTTP
import TestBasics
import Testing

@Suite("Server")
struct ServerTests {
    private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test("A connection is kept alive for the next request, whether the handler suspends or not")
    func keepAlive() async throws {
        try await withServer { server in
            let client = RawClient(server.port)
            for path in ["/a", "/later/b", "/c", "/later/d"] {
                #expect(client.send(get(path)).response()?.body == "GET " + path)
            }
            #expect(
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx" + get("/e")).response()?.status
                    == 200)
            #expect(client.response()?.body == "GET /e")
        }
    }

    @Test("The client's IP address is derived from the peer's and the head by the configuration")
    func clientAddress() async throws {
        try await withServer {
            $0.clientAddress = { peer, headers in peer + "+" + headers.all("X-From").joined(separator: "+") }
        } handler: {
            .text($0.remoteAddress)
        } _: { server in
            let client = RawClient(server.port)
            #expect(client.send(get("/")).response()?.body == "127.0.0.1+")
            client.send("GET / HTTP/1.1\r\nHost: a\r\nX-From: a\r\nX-From: b\r\n\r\n")
            #expect(client.response()?.body == "127.0.0.1+a+b")
        }
    }

    @Test("Pipelined requests are answered in order")
    func pipelining() async throws {
        try await withServer { server in
            let paths = (0..<300).map { $0 % 3 == 0 ? "/later/\($0)" : "/\($0)" }
            let client = RawClient(server.port).send(paths.map(get).joined())
            #expect(paths.map { _ in client.response()?.body } == paths.map { "GET " + $0 })
        }
    }

    @Test("Synchronous responses are sent at once, in order with those of the handler")
    func fastPath() async throws {
        try await withServer {
            $0.fastPath = { $0.path.hasPrefix("/known") ? .text("at once " + $0.path) : nil }
        } _: { server in
            let paths = (0..<300).map { ["/later/\($0)", "/known/\($0)", "/\($0)"][$0 % 3] }
            let bodies = paths.map { ($0.hasPrefix("/known") ? "at once " : "GET ") + $0 }
            let together = RawClient(server.port).send(paths.map(get).joined())
            #expect(paths.map { _ in together.response()?.body } == bodies)
            let oneByOne = RawClient(server.port)
            #expect(paths.map { oneByOne.send(get($0)).response()?.body } == bodies)
            // Counted down after the response is sent.
            await until("no request is handled") { server.inFlight == 0 }
        }
    }

    @Test("A request that arrives byte by byte is parsed")
    func byteByByte() async throws {
        try await withServer { server in
            let client = RawClient(server.port)
            for byte in get("/slow").utf8 { client.send([byte]) }
            #expect(client.response()?.body == "GET /slow")
        }
    }

    @Test("HEAD gets the head of GET, with its length and without a body")
    func head() async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n" + get("/next"))
            #expect(client.response(toHead: true)?.header("Content-Length") == "7")
            #expect(client.response()?.body == "GET /next")
        }
    }

    @Test("HTTP/1.0 and Connection: close end the connection after the response")
    func close() async throws {
        try await withServer { server in
            for request in ["GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"] {
                let client = RawClient(server.port).send(request)
                #expect(client.response()?.status == 200)
                #expect(client.rest().isEmpty && client.isAtEnd)
            }
        }
    }

    @Test("A client that has closed its sending side still gets its response")
    func halfClose() async throws {
        try await withServer { server in
            for path in ["/", "/later", "/sleep"] {
                let client = RawClient(server.port).send(get(path))
                client.finishSending()
                #expect(client.response()?.body == "GET " + path)
                #expect(client.rest().isEmpty && client.isAtEnd)
            }
        }
    }

    @Test("S24, S25: every response forbids sniffing, errors too, and none names the server")
    func headers() async throws {
        try await withServer { server in
            for request in [get("/"), "GET / HTTP/1.1\r\n\r\n"] {
                let response = RawClient(server.port).send(request).response()
                #expect(response?.header("X-Content-Type-Options") == "nosniff")
                #expect(response?.header("Content-Type") == "text/plain; charset=utf-8")
                #expect(response?.header("Server") == nil)
            }
        }
    }

    @Test("An error is rendered by the configuration, with the path if it could be parsed")
    func refusals() async throws {
        try await withServer { server in
            let request = "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Encoding: br\r\n\r\n"
            #expect(RawClient(server.port).send(request).response()?.body == "encoding_not_supported /v1/x")
            #expect(
                RawClient(server.port).send("GET /x HTTP/1.2\r\n\r\n").response()?.body == "version_not_supported -")
        }
    }

    @Test("Large responses and files arrive completely; a missing file, and one that can't be written, are 500")
    func largeResponses() async throws {
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
            case "/unwritten": Response(status: 200, body: .unwritten { Array(text.utf8) })
            case "/failed": Response(status: 200, body: .unwritten { throw CancellationError() })
            default: Response(status: 200, body: .file(path: path + "-gone", size: 1))
            }
        }
        try await withServer(handler: handler) { server in
            let client = RawClient(server.port).send(get("/bytes") + get("/file") + get("/unwritten") + get("/gone"))
            for _ in 0..<3 { #expect(client.response()?.body == text) }
            #expect(client.response()?.status == 500)
            #expect(RawClient(server.port).send(get("/failed")).response()?.status == 500)
        }
        unlink(path)
    }

    @Test("Many connections are served concurrently by two loops")
    func manyConnections() async throws {
        try await withServer(loops: 2) { server in
            let clients = (0..<300).map { _ in RawClient(server.port) }
            for (index, client) in clients.enumerated() { client.send(get("/later/\(index)")) }
            let bodies = clients.map { $0.response()?.body }
            #expect(bodies == clients.indices.map { "GET /later/\($0)" })
            #expect(server.connections == 300)
        }
    }

    @Test("Handlers get the client's IP address and a unique request id")
    func requestObservations() async throws {
        let handler: Handler = { .text("\($0.remoteAddress) \($0.id) \($0.rawTarget) \($0.cookie("a") ?? "-")") }
        try await withServer(handler: handler) { server in
            let client = RawClient(server.port)
            let request = "GET /%61?b=%20 HTTP/1.1\r\nHost: a\r\nCookie: a=1; a=2\r\n\r\n"
            let texts = (0..<2).compactMap { _ in client.send(request).response()?.body.split(separator: " ") }
            #expect(texts.count == 2)
            #expect(texts.allSatisfy { $0[0] == "127.0.0.1" && $0[1].count == 13 && $0[2...] == ["/%61?b=%20", "1"] })
            #expect(texts[0][1] != texts[1][1])
        }
    }

    @Test("A server without references keeps running")
    func notHeld() throws {
        let loop = EventLoop(name: "not-held")
        loop.start()
        func start() throws -> Int {
            let server = Server(configuration: ServerConfiguration(), loops: [loop], handler: echo)
            try server.start()
            return server.port
        }
        let port = try start()
        #expect(RawClient(port).send(get("/a")).response()?.body == "GET /a")
        loop.stop()
    }

    @Test("A port in use is reported as an error")
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

    @Test("A host that is not this machine's is reported as an error", arguments: ["192.0.2.1", "no such host"])
    func foreignAddress(host: String) {
        let loop = EventLoop(name: "foreign")
        let server = Server(configuration: ServerConfiguration(host: host), loops: [loop], handler: echo)
        #expect(throws: ServerError.unknownHost(host)) { try server.start() }
        loop.start()
        loop.stop()
    }
}
