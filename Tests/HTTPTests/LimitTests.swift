// Tests the limits of requests at their boundaries.
import HTTP
import Testing

@Suite("Request limits")
struct LimitTests {
    private func status(of request: String, _ configure: @escaping (inout ServerConfiguration) -> Void = { _ in })
        async throws -> Int?
    {
        try await withServer(configure) { RawClient($0.port).send(request).response()?.status }
    }

    @Test("S29: a request line of 8 KiB is accepted, one more byte is 414")
    func requestLine() async throws {
        // "GET " and " HTTP/1.1" take 13 bytes.
        func request(_ length: Int) -> String {
            "GET /" + String(repeating: "a", count: length - 14) + " HTTP/1.1\r\nHost: a\r\n\r\n"
        }
        #expect(try await status(of: request(8192)) == 200)
        #expect(try await status(of: request(8193)) == 414)
        #expect(try await status(of: request(100_000)) == 414)
    }

    @Test("S29: a head of 32 KiB is accepted, one more byte is 431")
    func head() async throws {
        func request(_ length: Int) -> String {
            let start = "GET / HTTP/1.1\r\nHost: a\r\nX: "
            return start + String(repeating: "a", count: length - start.utf8.count - 4) + "\r\n\r\n"
        }
        #expect(try await status(of: request(32768)) == 200)
        #expect(try await status(of: request(32769)) == 431)
        #expect(try await status(of: request(1_000_000)) == 431)
    }

    @Test("S29: 100 headers are accepted, 101 are 431")
    func headers() async throws {
        func request(_ count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: a\r\n" + (1..<count).map { "X-\($0): y\r\n" }.joined() + "\r\n"
        }
        #expect(try await status(of: request(100)) == 200)
        #expect(try await status(of: request(101)) == 431)
    }

    @Test("S29: a query of 1,000 fields is accepted, one more is 400")
    func queryFields() async throws {
        func request(_ count: Int) -> String {
            "GET /?" + String(repeating: "a=1&", count: count) + " HTTP/1.1\r\nHost: a\r\n\r\n"
        }
        #expect(try await status(of: request(1000)) == 200)
        #expect(try await status(of: request(1001)) == 400)
    }

    @Test("S29: a body of its endpoint's limit is accepted, one more byte is 413 before it is read")
    func body() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.bodyLimit = { method, path in method == "POST" && path == "/small" ? 10 : 20 }
        }
        func head(_ path: String, _ length: Int) -> String {
            "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
        }
        #expect(try await status(of: head("/small", 10) + "0123456789", configure) == 200)
        #expect(try await status(of: head("/small", 11), configure) == 413)
        #expect(try await status(of: head("/large", 20) + "01234567890123456789", configure) == 200)
        #expect(try await status(of: head("/large", 10_737_418_240), configure) == 413)
    }

    @Test("S29: the fields of a form have a limit of their own, and its files don't count")
    func fields() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.bodyLimit = { _, _ in 1000 }
            $0.formLimit = { _, path in path == "/small" ? 10 : 2000 }
        }
        func request(_ type: String, _ body: String, _ path: String = "/small") -> String {
            "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                + body
        }
        let encoded = "application/x-www-form-urlencoded"
        #expect(try await status(of: request(encoded, "a=12345678"), configure) == 200)
        #expect(try await status(of: request(encoded, "a=123456789"), configure) == 413)
        #expect(try await status(of: request(encoded, "a=123456789", "/large"), configure) == 200)
        func parts(_ fields: [Int]) -> String {
            let file = "; filename=\"a\"\r\n\r\n" + String(repeating: "x", count: 500)
            let all = fields.map { "\r\n\r\n" + String(repeating: "x", count: $0) } + [file]
            return all.map { "--XX\r\nContent-Disposition: form-data; name=\"a\"\($0)\r\n" }.joined() + "--XX--\r\n"
        }
        let multipart = "multipart/form-data; boundary=XX"
        #expect(try await status(of: request(multipart, parts([4, 4])), configure) == 200, "with their names")
        #expect(try await status(of: request(multipart, parts([4, 5])), configure) == 413)
    }

    @Test("S29: the name of a field has 512 bytes, one more is 400", arguments: ["a", "é", "%C3%A9"])
    func fieldNames(character: String) async throws {
        func requests(_ name: String) -> [String] {
            let part = "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n1\r\n--XX--\r\n"
            let bodies =
                [("application/x-www-form-urlencoded", "b=1&\(name)=1")]
                + (character.hasPrefix("%") ? [] : [("multipart/form-data; boundary=XX", part)])
            return bodies.map { type, body in
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            } + (character == "é" ? [] : ["GET /?\(name)=1 HTTP/1.1\r\nHost: a\r\n\r\n"])
        }
        let most = String(repeating: character, count: character == "a" ? 512 : 256)
        for request in requests(most) { #expect(try await status(of: request) == 200) }
        for request in requests(most + "a") { #expect(try await status(of: request) == 400) }
        for request in requests(most + most + most + most) { #expect(try await status(of: request) == 400) }
    }

    @Test("S29: a client that keeps sending a rejected body still gets the response")
    func refusalReachesSender() async throws {
        try await withServer({ $0.bodyLimit = { _, _ in 1000 } }) { server in
            let client = RawClient(server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n")
            client.send([UInt8](repeating: 32, count: 500_000))
            #expect(client.response()?.status == 413)
            #expect(!client.wasReset)
        }
    }

    @Test("S29: a form of 1,000 fields is accepted, one more is 413")
    func formFields() async throws {
        func request(_ count: Int) -> String {
            let body = String(repeating: "a=1&", count: count)
            return "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
        }
        #expect(try await status(of: request(1000)) == 200)
        #expect(try await status(of: request(1001)) == 413)
    }

    @Test("S29: a multipart form of 1,000 parts, 100 of them files, is accepted, one more of either is 413")
    func parts() async throws {
        func request(fields: Int = 0, files: Int = 0, emptyFiles: Int = 0) -> String {
            func parts(_ count: Int, _ more: String, _ content: String) -> String {
                let part = "--XX\r\nContent-Disposition: form-data; name=\"a\"\(more)\r\n\r\n\(content)\r\n"
                return String(repeating: part, count: count)
            }
            return multipart(
                parts(fields, "", "1") + parts(files, "; filename=\"x.png\"", "1")
                    + parts(emptyFiles, "; filename=\"\"", "") + "--XX--\r\n")
        }
        #expect(try await status(of: request(fields: 1000)) == 200)
        #expect(try await status(of: request(fields: 1001)) == 413)
        #expect(try await status(of: request(files: 100)) == 200)
        #expect(try await status(of: request(files: 101)) == 413)
        #expect(try await status(of: request(fields: 900, files: 100)) == 200)
        #expect(try await status(of: request(fields: 901, files: 100)) == 413)
        // A file field that was left empty is a part, but no file.
        #expect(try await status(of: request(files: 100, emptyFiles: 900)) == 200)
        #expect(try await status(of: request(files: 100, emptyFiles: 901)) == 413)
    }

    @Test("S29: the head of a part is limited, in one line or in many")
    func partHead() async throws {
        func request(_ lines: String) -> String {
            multipart("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\(lines)\r\n\r\n1\r\n--XX--\r\n")
        }
        #expect(try await status(of: request("X-A: " + String(repeating: "a", count: 4000))) == 200)
        #expect(try await status(of: request("X-A: " + String(repeating: "a", count: 100_000))) == 400)
        let many = Array(repeating: "X-A: " + String(repeating: "a", count: 100), count: 1000).joined(separator: "\r\n")
        #expect(try await status(of: request(many)) == 400)
    }

    @Test("At the connection limit the longest idle connection is closed")
    func connections() async throws {
        try await withServer({ $0.maxConnections = 4 }) { server in
            let waiting = (0..<4).map { _ in RawClient(server.port) }
            #expect(RawClient(server.port).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").response()?.status == 200)
            #expect(waiting[0].rest().isEmpty)
            #expect(waiting[0].isAtEnd)
        }
    }
}

/// A POST of a multipart form whose boundary is XX.
func multipart(_ body: String) -> String {
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=XX\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
}
