// Tests that header lines repeated on a connection are recognized, and that no others are mistaken for them.
import HTTP
import Testing

@Suite("Repeated header lines")
struct KnownHeadTests {
    /// Responds with the header lines that it received.
    @Sendable private static func echo(_ request: Request) async -> Response {
        let lines = request.headers.fields.map { "\($0.name)=\($0.value)" }
        let body = String(decoding: request.body.bytes, as: UTF8.self)
        return .text("\(request.path) \(lines.joined(separator: ",")) \(body)")
    }

    private func ask(_ client: RawClient, _ text: String) -> String {
        guard let response = client.send(text).response() else { return "no response" }
        return "\(response.status) \(response.body)"
    }

    @Test("The same lines with another path, and other lines of the same length, are each parsed correctly")
    func lines() async throws {
        try await withServer(handler: Self.echo) { server in
            let client = RawClient(server.port)
            let lines = "Host: a\r\nX-One: 1\r\n\r\n"
            #expect(ask(client, "GET /1 HTTP/1.1\r\n" + lines) == "200 /1 Host=a,X-One=1 ")
            #expect(ask(client, "GET /2 HTTP/1.1\r\n" + lines) == "200 /2 Host=a,X-One=1 ")
            #expect(ask(client, "GET /3 HTTP/1.1\r\nHost: a\r\nX-One: 2\r\n\r\n") == "200 /3 Host=a,X-One=2 ")
            #expect(ask(client, "GET /4 HTTP/1.1\r\nHost: a\r\nX-Two: 2\r\n\r\n") == "200 /4 Host=a,X-Two=2 ")
            #expect(ask(client, "GET /5 HTTP/1.1\r\n" + lines) == "200 /5 Host=a,X-One=1 ")
            #expect(ask(client, "GET /6 HTTP/1.1\r\nHost: a\r\n\r\n") == "200 /6 Host=a ")
            let long = "Host: a\r\nX-Long: \(String(repeating: "x", count: 2000))\r\n\r\n"
            for path in ["/7", "/8"] {
                #expect(ask(client, "GET \(path) HTTP/1.1\r\n" + long).hasPrefix("200 \(path) Host=a,X-Long=xxx"))
            }
        }
    }

    @Test("A body as long as the previous one is read as a body again")
    func bodies() async throws {
        try await withServer(handler: Self.echo) { server in
            let client = RawClient(server.port)
            for body in ["one", "two"] {
                let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Type: text/plain\r\n\r\n"
                #expect(ask(client, head + body).hasSuffix(",Content-Type=text/plain \(body)"))
            }
        }
    }

    @Test("S27: a head that is rejected first is rejected after a valid head too", arguments: FramingTests.refused)
    func refusal(head: String, status: Int) async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.response()?.status == 200)
            #expect(client.send(head + "\r\n\r\n").response()?.status == status)
            #expect(client.rest().isEmpty)
        }
    }

    @Test(
        "S27: lines that resemble known ones because of NULs are rejected",
        arguments: [
            "Host\0 a\r\nX-One: 1", "Host: a\0\0X-One: 1", "Host: a\0\0X-One\0 1", "Host: a\r\0X-One: 1",
            "Host: a\r\nX-One\0 1",
        ])
    func twins(lines: String) async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\nX-One: 1\r\n\r\n")
            #expect(client.response()?.status == 200)
            #expect(client.send("GET / HTTP/1.1\r\n\(lines)\r\n\r\n").response()?.status == 400)
            #expect(client.rest().isEmpty)
        }
    }

    @Test("Lines sufficient for HTTP/1.0 are not for HTTP/1.1, which requires a host")
    func versions() async throws {
        try await withServer { server in
            let client = RawClient(server.port)
            #expect(client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").response()?.status == 200)
            #expect(client.send("GET / HTTP/1.1\r\nConnection: keep-alive\r\n\r\n").response()?.status == 400)
        }
    }
}
