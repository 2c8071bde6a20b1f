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

    private func bounded(by boundary: String, _ body: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=\(boundary)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    @Test(
        "A multipart form may have any boundary, and text around and blanks after its delimiters (RFC 2046)",
        arguments: [
            ("X", "--X\r\n@a\r\n\r\n1\r\n--X--\r\n", "a=1"), ("\"a b\"", "--a b\r\n@a\r\n\r\n1\r\n--a b--", "a=1"),
            ("==_Part/1:2=", "--==_Part/1:2=\r\n@a\r\n\r\n1\r\n--==_Part/1:2=--\r\n", "a=1"),
            ("X", "--X\r\n@a\r\n\r\n1\r\n--X--\r\nepilogue\r\n--X\r\n@b\r\n\r\n2", "a=1"),
            ("X", "preamble\r\n--X\r\n@a\r\n\r\n1\r\n--X--", "a=1"), ("X", "\r\n--X\r\n@a\r\n\r\n1\r\n--X--", "a=1"),
            ("X", "--X \t \r\n@a\r\n\r\n1\r\n--X\t\r\n@b\r\n\r\n2\r\n--X-- \r\n", "a=1 b=2"),
            ("X", "--X\r\n@a\r\n\r\n1\r\n--X-- \t", "a=1"),
            // A line that only begins like a delimiter is content.
            ("X", "--X\r\n@a\r\n\r\n1\r\n--XY\r\n--X-\r\n\r--X\r\n--X--", "a=1\r\n--XY\r\n--X-\r\n\r--X"),
            ("X", "--X\r\n@a\r\n\r\n\r\n--X--", "a="),
        ])
    func boundaries(boundary: String, body: String, expected: String) async throws {
        let body = body.replacing("@a", with: "Content-Disposition: form-data; name=\"a\"")
            .replacing("@b", with: "content-disposition:form-data;name=b")
        #expect(try await response(bounded(by: boundary, body))?.body == "POST / \(expected)")
    }

    @Test("A multipart form that arrives byte by byte is read the same")
    func bytewise() async throws {
        try await withServer { server in
            let client = RawClient(server.port)
            let body = "p\r\n--X\t\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--Xx\r\n\r\n--X--\r\nend"
            for byte in bounded(by: "X", body) { client.send(String(byte)) }
            #expect(client.response()?.body == "POST / a=1\r\n--Xx\r\n")
        }
    }

    @Test(
        "A part's name and file name are read as browsers and other clients write them",
        arguments: [
            ("form-data; name=\"a;b\"", "a;b=1"), ("form-data; name=\"a\\\"b\"", "a\"b=1"),
            ("FORM-DATA ; name=a", "a=1"),
            ("form-data; name=\"a\"; filename=\"C:\\x\\y.png\"", "a:C:\\x\\y.png:-:1"),
            ("form-data; name=\"a\"; filename*=utf-8''br%C3%BCcke%205+6.png", "a:brücke 5+6.png:-:1"),
            ("form-data; name=\"a\"; filename=\"b.png\"; filename*=UTF-8'de'%c3%bc.png", "a:ü.png:-:1"),
            ("form-data; name=\"a\"; filename*=utf-8''x.png; filename=\"b.png\"", "a:x.png:-:1"),
            ("form-data; name=\"a\"; filename=\"b.png\"; filename*=x", "a:b.png:-:1"),
            ("form-data; name=\"a\"; filename=\"b.png\"; filename*=utf-8''%C3", "a:b.png:-:1"),
            ("form-data; name=\"a\"; filename=\"b.png\"; filename*=utf-8''a%00b", "a:b.png:-:1"),
            // A file, also if its name can't be read.
            ("form-data; name=\"a\"; filename*=x", "a::-:1"),
            ("form-data; name=\"a\"; filename*=koi8-r''%C1.png", "a::-:1"),
            ("form-data; name=\"a\"; filename*=iso-8859-1'de'br%FCcke%85.png", "a:brücke….png:-:1"),
            ("form-data; name=\"a\"; filename*0*=UTF-8''br%C3%BC; filename*1=\"cke 5.png\"", "a:brücke 5.png:-:1"),
            ("form-data; name=\"a\"; filename*0=\"br ü\"; filename*1=cke.png", "a:br ücke.png:-:1"),
            ("form-data;\r\n name=\"a\"", "a=1"), ("form-data; name=\"é\"", "é=1"),
        ])
    func partNames(disposition: String, expected: String) async throws {
        let body = "--X\r\nContent-Disposition: \(disposition)\r\n\r\n1\r\n--X--\r\n"
        #expect(try await response(bounded(by: "X", body))?.body == "POST / \(expected)")
    }

    @Test("Text of a part is UTF-8, or in the Western European encoding that its type announces")
    func partCharsets() async throws {
        func reply(_ type: String, _ value: [UInt8]) async throws -> RawClient.Reply? {
            let head = "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\(type)\r\n"
            let body = Array(head.utf8) + value + Array("\r\n--X--\r\n".utf8)
            let request =
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=X\r\n"
                + "Content-Length: \(body.count)\r\n\r\n"
            return try await withServer { RawClient($0.port).send(Array(request.utf8) + body).response() }
        }
        let latin: [UInt8] = [0x42, 0x72, 0xFC, 0x63, 0x6B, 0x65]
        let type = "Content-Type: text/plain; charset="
        for charset in ["ISO-8859-1", "windows-1252", "\"latin1\""] {
            #expect(try await reply("\(type)\(charset)\r\n", latin)?.body == "POST / a=Brücke")
            #expect(try await reply("\(type)\(charset)\r\n", Array("Brücke".utf8))?.body == "POST / a=Brücke")
        }
        #expect(try await reply("\(type)koi8-r\r\n", latin)?.status == 400)
        #expect(try await reply("\(type)utf-8\r\n", latin)?.status == 400)
        #expect(try await reply("", latin)?.status == 400)
    }

    @Test("S29: a boundary has at most 70 characters")
    func longBoundary() async throws {
        for (count, status) in [(70, 200), (71, 400)] {
            let boundary = String(repeating: "b", count: count)
            let body = "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--\(boundary)--\r\n"
            #expect(try await response(bounded(by: boundary, body))?.status == status)
        }
    }

    @Test(
        "S30: a malformed multipart form is rejected",
        arguments: [
            "--XX", "XX", "--XX\r\n\r\n1\r\n--XX--\r\n",
            "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nabc",
            "--XX\r\nContent-Disposition: form-data; filename=\"a\"\r\n\r\n1\r\n--XX--\r\n",
            "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\na\0b\r\n--XX--\r\n",
            "--XX--\r\n", "--XX\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n1\r\n--XX--\r\n",
            "--XX\r\nContent-Disposition: form-data; name=\"a\r\n\r\n1\r\n--XX--\r\n",
            "--XX\r\nContent-Disposition: form-data; name=\"a\0\"\r\n\r\n1\r\n--XX--\r\n",
            "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX--garbage",
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
