// Tests the contents of responses, and that redirects stay on the site.
import EventLoop
import FoundationEssentials
import HTTP
import Testing

@Suite("Responses")
struct ResponseTests {
    @Test(
        "S19: a redirect to a path of this site is kept as it is",
        arguments: [
            ("/", "/"), ("/queue/7?a=b&c=d#x", "/queue/7?a=b&c=d#x"), ("/a//b", "/a//b"), ("/é", "/%C3%A9"),
        ])
    func localRedirect(place: String, location: String) {
        let response = Response.redirect(to: place)
        #expect(response.status == 303)
        #expect(response.headers["Location"] == location)
    }

    @Test(
        "S19: a redirect that could leave the site goes to its front page",
        arguments: [
            "", "https://evil.example", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example",
            "/\t/evil.example", "/\n/evil.example", "https:evil.example", "evil.example", " /x", "/x y", "/a\r\nX: b",
            "javascript:alert(1)", "@evil.example", "/\u{0}/x", "\u{FF0F}\u{FF0F}evil.example", "?x",
        ])
    func foreignRedirect(place: String) {
        #expect(Response.redirect(to: place).headers["Location"] == "/")
    }

    @Test("Each kind of content has its media type")
    func contentTypes() {
        #expect(Response.text("a").headers["Content-Type"] == "text/plain; charset=utf-8")
        #expect(Response.html("a", status: 422).headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(
            Response.json([], type: "application/problem+json").headers["Content-Type"] == "application/problem+json")
        #expect(Response.status(204).headers.fields.isEmpty)
    }

    @Test("Several cookies can be set")
    func cookies() throws {
        var response = Response.status(204)
        response.setCookie(try #require(Cookie(name: "a", value: "1")))
        response.setCookie(try #require(Cookie(name: "b", value: "2")))
        #expect(response.headers.all("Set-Cookie").count == 2)
    }
}

@Suite("Conditional requests")
struct ConditionalRequestTests {
    private func isFresh(_ fields: [(String, String)], _ etag: ETag?, _ modified: Int64? = nil) -> Bool {
        var headers = Headers()
        for (name, value) in fields { headers.append(name, value) }
        return ConditionalRequest(headers).isFresh(etag: etag, lastModified: modified)
    }

    @Test(
        "R34: If-None-Match compares weakly, in lists, and with *",
        arguments: [
            ("\"a\"", true), ("W/\"a\"", true), ("\"b\" , W/\"a\"", true), ("*", true), ("\"b\"", false),
            ("\"A\"", false),
            ("a", false), ("\"", false), ("\"a\",", false), ("", false), ("w/\"a\"", false), ("\"a\" \"b\"", false),
        ])
    func noneMatch(value: String, fresh: Bool) {
        #expect(isFresh([("If-None-Match", value)], ETag("a")) == fresh)
        #expect(isFresh([("If-None-Match", value)], ETag("a", isWeak: true)) == fresh)
        #expect(!isFresh([("If-None-Match", value)], nil))
    }

    @Test("R34: If-Modified-Since compares whole seconds, and only without If-None-Match")
    func modifiedSince() {
        let since = ("If-Modified-Since", HeaderDate.text(1000))
        #expect(isFresh([since], nil, 1000))
        #expect(isFresh([since], ETag("a"), 999))
        #expect(!isFresh([since], nil, 1001))
        #expect(!isFresh([since], nil, nil))
        #expect(!isFresh([since, ("If-None-Match", "\"b\"")], ETag("a"), 1000))
        #expect(!isFresh([since, ("If-None-Match", "\"")], ETag("a"), 1000))
        #expect(!isFresh([("If-Modified-Since", "yesterday")], nil, 1000))
        #expect(!isFresh([], ETag("a"), 1000))
    }

    @Test("S18: a tag cannot contain characters that would end it")
    func tagText() {
        #expect(ETag("a\"b\r\n c").text == "\"a%22b%0D%0A%20c\"")
        #expect(ETag("x", isWeak: true).text == "W/\"x\"")
        #expect(ETag.list("\"a\", W/\"b\"") == [ETag("a"), ETag("b", isWeak: true)])
    }
}

@Suite("Static files")
struct StaticFilesTests {
    private func withFiles(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/vitrine-static-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder + "/icons", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("body{}".utf8).write(to: URL(filePath: folder + "/app.css"))
        try Data("<svg/>".utf8).write(to: URL(filePath: folder + "/icons/star.svg"))
        try Data("secret".utf8).write(to: URL(filePath: folder + "/.env"))
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/etc/passwd")
        try body(folder)
    }

    private func request(_ headers: Headers = Headers(), method: String = "GET") -> Request {
        Request(
            method: method, path: "/", rawTarget: "/", headers: headers, remoteAddress: "127.0.0.1",
            loop: EventLoop(name: "unused"))
    }

    @Test("Only existing files are served, with their media types")
    func serving() throws {
        try withFiles { folder in
            let files = try StaticFiles(directory: folder)
            #expect(files.names == ["app.css", "icons/star.svg"])
            let response = try #require(files.response("app.css", for: request()))
            #expect(response.headers["Content-Type"] == "text/css; charset=utf-8")
            #expect(response.headers["X-Content-Type-Options"] == "nosniff")
            #expect(files.response("icons/star.svg", for: request())?.headers["Content-Type"] == "image/svg+xml")
            for name in ["", ".env", "link", "icons", "icons/", "../etc/passwd", "icons/../app.css", "/app.css"] {
                #expect(files.response(name, for: request()) == nil)
            }
        }
    }

    @Test("R34: a client with the current file gets 304, and the file again once it has changed")
    func validators() throws {
        try withFiles { folder in
            let first = try #require(StaticFiles(directory: folder).response("app.css", for: request()))
            var headers = Headers()
            headers.append("If-None-Match", try #require(first.headers["ETag"]))
            headers.append("If-Modified-Since", try #require(first.headers["Last-Modified"]))
            let again = try StaticFiles(directory: folder).response("app.css", for: request(headers))
            #expect(again?.status == 304)
            #expect(again?.headers["ETag"] == first.headers["ETag"])
            #expect(again?.headers["Content-Type"] == nil)
            // The same length within the same second.
            try Data("body[]".utf8).write(to: URL(filePath: folder + "/app.css"))
            #expect(try StaticFiles(directory: folder).response("app.css", for: request(headers))?.status == 200)
        }
    }

    @Test("Text files from 1,024 bytes on are compressed, with a weak tag that validates them")
    func compressed() throws {
        try withFiles { folder in
            try Data(repeating: 0x61, count: 1024).write(to: URL(filePath: folder + "/long.css"))
            try Data(repeating: 0x61, count: 1023).write(to: URL(filePath: folder + "/short.css"))
            let files = try StaticFiles(directory: folder)
            var headers = Headers()
            headers.append("Accept-Encoding", "gzip, br")
            let plain = try #require(files.response("long.css", for: request()))
            let long = try #require(files.response("long.css", for: request(headers)))
            #expect(long.headers["Content-Encoding"] == "br" && long.headers["Vary"] == "Accept-Encoding")
            #expect(plain.headers["Content-Encoding"] == nil && plain.headers["Vary"] == "Accept-Encoding")
            let tag = try #require(long.headers["ETag"])
            #expect(tag == "W/" + (plain.headers["ETag"] ?? ""))
            headers.append("If-None-Match", tag)
            let again = try #require(files.response("long.css", for: request(headers)))
            #expect(again.status == 304 && again.headers["ETag"] == tag)
            #expect(again.headers["Content-Encoding"] == nil)
            #expect(files.response("short.css", for: request(headers))?.headers["Content-Encoding"] == nil)
        }
    }

    @Test("A missing folder is an error at start")
    func missingFolder() {
        #expect(throws: (any Error).self) { try StaticFiles(directory: "/nonexistent/folder") }
    }
}
