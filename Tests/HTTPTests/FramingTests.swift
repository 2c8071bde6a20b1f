// Tests that requests with more than one interpretation are rejected and their connections closed.
import HTTP
import Testing

@Suite("Request framing")
struct FramingTests {
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Heads (without their empty line) that no strict parser accepts, each with the status of its rejection.
    static let refused: [(head: String, status: Int)] = [
        ("GET /", 400),
        ("GET / http/1.1\r\nHost: a", 400),
        ("GET / HTTP/1.2\r\nHost: a", 505),
        ("GET  / HTTP/1.1\r\nHost: a", 400),
        ("GET /a b HTTP/1.1\r\nHost: a", 400),
        ("GET /\0x HTTP/1.1\r\nHost: a", 400),
        ("GET /é HTTP/1.1\r\nHost: a", 400),
        ("GET example.org:80 HTTP/1.1\r\nHost: a", 400),
        ("CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: a", 400),
        ("G(T / HTTP/1.1\r\nHost: a", 400),
        ("GET / HTTP/1.1\nHost: a", 400),
        ("GET / HTTP/1.1\r\nHost: a\nX: b", 400),
        ("GET / HTTP/1.1\r\nX: b", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a", 400),
        ("GET / HTTP/1.0\r\nHost: a\r\nHost: b", 400),
        ("GET / HTTP/1.1\r\nHost: a b", 400),
        ("GET / HTTP/1.1\r\nHost: a\0b", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX : b", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n: b", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX\u{7}: b", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX[]: b", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\0b", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\0\0\0\0b", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{7f}b", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400),
        ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked", 411),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity, chunked", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ,chunked", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked;q=1", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: 'chunked'", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{b}chunked", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\nContent-Length: 35", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 35", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 35\r\nContent-Length: 35", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 35, 36", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\0\nContent-Length: 35", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\0\nTransfer-Encoding: chunked", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\0\r\nY: c", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\0\0\nY: c", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\n\0Y: c", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 35 35", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3_5", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 35;", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 35e0", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 35.0", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length:", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 35", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Type: text/html", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip", 415),
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 200-maybe", 417),
    ]

    @Test("S27: an ambiguous head is rejected, and what follows it is not parsed as a request", arguments: refused)
    func refusal(head: String, status: Int) async throws {
        try await withServer { server in
            let client = RawClient(server.port).send(head + "\r\n\r\n" + FramingTests.smuggled)
            let response = try #require(client.response())
            #expect(response.status == status)
            #expect(response.header("Connection") == "close")
            #expect(client.rest().isEmpty)
            #expect(client.isAtEnd && !client.wasReset)
        }
    }

    @Test(
        "S27: a request that cannot be parsed at all closes its connection",
        arguments: [
            "\u{1}\u{2}\u{3}\r\n\r\n", " / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nNoColon\r\n\r\n",
            "GET / HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\0\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX\0\nY: c\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
            // 35, had it 32, 63 or 64 bits.
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4294967331\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775843\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551651\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
        ])
    func unreadable(request: String) async throws {
        try await withServer { server in
            let client = RawClient(server.port).send(request + FramingTests.smuggled)
            let rest = String(decoding: client.rest(), as: UTF8.self)
            #expect(client.isAtEnd)
            #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 4"))
            #expect(rest.split(separator: "HTTP/1.1 ").count <= 1)
        }
    }

    @Test(
        "S27: where a line ends with NUL LF, the next line counts, and the length has one meaning: no body is a request",
        arguments: [
            "X: b\0\nContent-Length: LENGTH\r\n\r\n", "Content-Length: LENGTH\0\n\r\n",
            "Content-Length: LENGTH\r\n\0\n",
        ])
    func nulBeforeLineFeed(lines: String) async throws {
        try await withServer { server in
            let length = "\(FramingTests.smuggled.utf8.count)"
            let head = "POST / HTTP/1.1\r\nHost: a\r\n" + lines.replacing("LENGTH", with: length)
            let client = RawClient(server.port).send(head + FramingTests.smuggled)
            let response = try #require(client.response())
            #expect(response.status == 200 && response.body == "POST / body:" + FramingTests.smuggled)
            client.finishSending()
            #expect(client.rest().isEmpty)
        }
    }

    @Test("S27: a rejected body is not parsed as the next request")
    func refusedBody() async throws {
        try await withServer({ $0.bodyLimit = { _, _ in 10 } }) { server in
            for method in ["POST", "PUT", "PATCH", "DELETE", "GET"] {
                let length = FramingTests.smuggled.utf8.count
                let head = "\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
                let client = RawClient(server.port).send(head + FramingTests.smuggled)
                #expect(client.response()?.status == 413)
                #expect(client.rest().isEmpty)
            }
        }
    }

    @Test(
        "All forms allowed by HTTP/1.1 are accepted",
        arguments: [
            ("GET http://a/x?q=1 HTTP/1.1\r\nHost: a", "GET /x q=1"),
            ("GET http://a HTTP/1.1\r\nHost: a", "GET /"),
            ("GET http://a?q=1 HTTP/1.1\r\nHost: a", "GET / q=1"),
            ("\r\nGET / HTTP/1.1\r\nhost:a\r\nx-a:", "GET /"),
            ("GET / HTTP/1.0", "GET /"),
            ("GET / HTTP/1.1\r\nHost: [::1]:8080\r\nX:   b  \t", "GET /"),
            ("BREW /caf%C3%A9?a=%20+b&c HTTP/1.1\r\nHost: a", "BREW /café a=  b c="),
        ])
    func understood(head: String, wanted: String) async throws {
        try await withServer { server in
            #expect(RawClient(server.port).send(head + "\r\n\r\n").response()?.body == wanted)
        }
    }

    @Test(
        "S30: a path that is not plain text is rejected",
        arguments: [
            "/a%00b", "/a%zz", "/a%f", "/a%", "/%c3%28", "/%c0%ae%c0%ae/x", "/../etc/passwd", "/a/./b", "/a/..",
            "/static/..%2f..%2fetc", "/a%5cb", "/%2e%2e/x", "/?a=%00", "/?%zz", "/?a=%c3%28",
        ])
    func badPath(target: String) async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.response()?.status == 400)
        }
    }

    @Test("A dot inside a segment is not a dot segment", arguments: ["/a.css", "/.well-known/x", "/...", "/a..b"])
    func dots(target: String) async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.response()?.body == "GET " + target)
        }
    }
}
