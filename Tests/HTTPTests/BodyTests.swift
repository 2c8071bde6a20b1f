// Tests that bodies and forms arrive as they were sent, or are rejected.
import HTTP
import Testing

@Suite("Request bodies")
struct BodyTests {
    private func response(_ request: String) async throws -> RawClient.Reply? {
        try await withServer { RawClient($0.port).send(request).response() }
    }

    private func form(_ body: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded; charset=utf-8\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    private func part(_ disposition: String, _ content: String, more: String = "") -> String {
        "--XX\r\nContent-Disposition: form-data; \(disposition)\r\n\(more)\r\n\(content)\r\n"
    }

    @Test("A body of any other type arrives as bytes")
    func bytes() async throws {
        let request = "PUT /x HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        #expect(try await response(request)?.body == "PUT /x body:{}")
    }

    @Test("A body that arrives in many pieces is reassembled")
    func pieces() async throws {
        try await withServer { server in
            let client = RawClient(server.port).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
            for _ in 0..<100 { client.send(String(repeating: "x", count: 1000)) }
            #expect(client.response()?.body == "POST / body:" + String(repeating: "x", count: 100_000))
        }
    }

    @Test("A URL-encoded form keeps order, repeats, empty values and a last name without =")
    func urlEncoded() async throws {
        #expect(try await response(form("b=1&a=%C3%A9+x&b=2&c=&&d"))?.body == "POST / b=1 a=é x b=2 c= d=")
    }

    @Test(
        "S30: a form that is not text is rejected", arguments: ["a=%zz", "a=%", "a=%00", "%00=a", "a=%ff", "a=b&%f=1"])
    func badForm(body: String) async throws {
        #expect(try await response(form(body))?.status == 400)
    }

    @Test("A multipart form returns fields and files, and no file for an empty file field")
    func multipartForm() async throws {
        let body =
            part("name=\"title\"", "Ein Tag\r\nam Meer") + part("name=\"empty\"", "")
            + part("name=\"image\"; filename=\"../../x.png\"", "bytes\0here", more: "Content-Type: image/png\r\n")
            + part("name=\"none\"; filename=\"\"", "", more: "Content-Type: application/octet-stream\r\n")
            + part("name=\"title\"", "again") + "--XX--\r\n"
        let wanted = "POST / title=Ein Tag\r\nam Meer empty= title=again image:../../x.png:image/png:10"
        #expect(try await response(multipart(body))?.body == wanted)
    }

    @Test(
        "S30: a malformed multipart form is rejected",
        arguments: [
            "--XX", "XX", "--XX\r\n\r\n1\r\n--XX--\r\n",
            "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nabc",
            "--XX\r\nContent-Disposition: form-data; filename=\"a\"\r\n\r\n1\r\n--XX--\r\n",
            "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\na\0b\r\n--XX--\r\n",
            "--XX--\r\n",
        ])
    func badMultipart(body: String) async throws {
        #expect(try await response(multipart(body))?.status == 400)
    }

    @Test("S30: an encoded part is rejected")
    func encodedPart() async throws {
        let body = part("name=\"a\"", "YQ==", more: "Content-Transfer-Encoding: base64\r\n") + "--XX--\r\n"
        #expect(try await response(multipart(body))?.status == 415)
    }

    @Test("S30: a multipart form without a boundary, or with a huge one, is rejected")
    func boundary() async throws {
        for type in ["multipart/form-data", "multipart/form-data; boundary=" + String(repeating: "b", count: 9000)] {
            let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: \(type)\r\nContent-Length: 3\r\n\r\n--X"
            #expect(try await response(head)?.status == 400)
        }
    }

    @Test("A client that waits for 100 Continue gets it, and then its response")
    func expectContinue() async throws {
        try await withServer { server in
            let client = RawClient(server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(client.response()?.status == 100)
            #expect(client.send("{}").response()?.body == "POST / body:{}")
        }
    }

    @Test("A client that announces too large a body gets 413 instead of 100 Continue")
    func expectRefused() async throws {
        try await withServer({ $0.bodyLimit = { _, _ in 1 } }) { server in
            let client = RawClient(server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(client.response()?.status == 413)
        }
    }
}
