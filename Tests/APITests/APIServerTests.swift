// Tests the API through a real server and socket.
import API
import Domain
import EventLoop
import FoundationEssentials
import Glibc
import HTTP
import Platform
import Postgres
import TestBasics
import TestSupport
import Testing

@Suite("The API on a socket", .databases)
struct APIServerTests {
    /// A socket over which the request was sent; nil if the server does not listen.
    private func begin(_ port: Int, _ request: String) -> Int32? {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(socket)
            return nil
        }
        let bytes = Array(request.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent, 0)
            }
            guard count > 0 else { break }
            sent += count
        }
        return socket
    }

    private func exchange(_ port: Int, _ request: String) -> String {
        guard let socket = begin(port, request) else { return "" }
        defer { close(socket) }
        var response: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &piece, piece.count, 0)
            guard count > 0 else { break }
            response += piece[..<count]
        }
        return String(decoding: response, as: UTF8.self)
    }

    private func withServer(_ api: APIFixture, _ body: (Int) async throws -> Void) async throws {
        let site = api.site
        var configuration = ServerConfiguration()
        configuration.bodyLimit = { APISite.bodyLimit($0, $1) }
        configuration.refusal = { site.refusal($0, $1, $2, $3) }
        configuration.admitsFirst = { $2 > APISite.admittedLength }
        configuration.admission = { await site.admission($0) }
        let loop = EventLoop(name: "api-http")
        loop.start()
        let server = Server(configuration: configuration, loops: [loop]) { await site.respond($0) }
        try server.start()
        try await body(server.port)
        await server.drain(grace: .seconds(2))
    }

    @Test("A3, A12, R1: a submission is received over HTTP; what HTTP itself rejects is a JSON problem too")
    func wire() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        try await withServer(api) { port in
            func post(_ type: String, _ body: String, length: Int? = nil) -> String {
                exchange(
                    port,
                    "POST /v1/submissions HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                        + "Authorization: \(portal.header)\r\nContent-Type: \(type)\r\n"
                        + "Content-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)")
            }
            let json = #"{"type":"article","contributor":"u","fields":{"title":"T","body":"<p>x</p>"}}"#
            let created = post("application/json", json)
            #expect(created.hasPrefix("HTTP/1.1 201 "))
            #expect(created.contains("\"state\":\"pending\""))
            let large = post("application/json", "", length: 1_048_577)
            #expect(large.hasPrefix("HTTP/1.1 413 "))
            #expect(large.contains("application/problem+json"))
            #expect(large.contains("\"code\":\"body_too_large\""))
            let form = "type=article&contributor=u&fields%5Btitle%5D=T&body=%3Cp%3Ex"
            #expect(post("application/x-www-form-urlencoded", form).hasPrefix("HTTP/1.1 201 "))
        }
        #expect(try await api.test.client.one("select count(*) as n from curation.queue_item")("n") as Int == 2)
    }

    @Test("S42: without credentials or scope a large body is rejected before any of it is sent")
    func admission() async throws {
        let api = try await APIFixture.make()
        let (portal, guest) = (try await api.client([.submit]), try await api.client([.readGuest]))
        let body =
            #"{"type":"article","contributor":"u","fields":{"title":"T","body":"<p>"#
            + String(repeating: "x", count: APISite.admittedLength) + #"</p>"}}"#
        try await withServer(api) { port in
            func post(_ authorization: String, _ body: String?) -> String {
                exchange(
                    port,
                    "POST /v1/submissions HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(authorization)"
                        + "Content-Type: application/json\r\nContent-Length: \(body?.utf8.count ?? 1_000_000)\r\n\r\n"
                        + (body ?? ""))
            }
            let unknown = post("", nil)
            #expect(unknown.hasPrefix("HTTP/1.1 401 ") && unknown.contains("WWW-Authenticate: Basic"))
            #expect(unknown.contains("application/problem+json"))
            #expect(post("Authorization: Basic eDp5\r\n", nil).hasPrefix("HTTP/1.1 401 "))
            #expect(post("Authorization: \(guest.header)\r\n", nil).hasPrefix("HTTP/1.1 403 "))
            #expect(post("Authorization: \(portal.header)\r\n", body).hasPrefix("HTTP/1.1 201 "))
        }
    }

    @Test("A10: HEAD has the head of GET and no body, and a known entity tag is 304, over HTTP")
    func headAndTag() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let head = "Host: a\r\nConnection: close\r\nAuthorization: \(guest.header)\r\n"
        try await withServer(api) { port in
            let got = exchange(port, "GET /v1/categories HTTP/1.1\r\n\(head)\r\n")
            let parts = got.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
            #expect(parts.count == 2)
            let asked = exchange(port, "HEAD /v1/categories HTTP/1.1\r\n\(head)\r\n")
            #expect(asked.hasPrefix("HTTP/1.1 200 "))
            #expect(asked.hasSuffix("\r\n\r\n"))
            #expect(asked.contains("Content-Length: \(parts[1].utf8.count)\r\n"))
            let line = try #require(got.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
            let fresh = exchange(
                port, "GET /v1/categories HTTP/1.1\r\n\(head)If-None-Match: \(line.dropFirst("ETag: ".count))\r\n\r\n")
            #expect(fresh.hasPrefix("HTTP/1.1 304 "))
        }
    }

    @Test("S47: searches of clients that left wait no longer")
    func leftSearches() async throws {
        let api = try await APIFixture.make(trust: .seconds(60), quotas: Quotas(longestWait: .seconds(600)))
        let guest = try await api.client([.readGuest])
        let searches = api.site.context.quotas.searches
        let (first, second) = (await HeldTurn(in: searches), await HeldTurn(in: searches))
        try await withServer(api) { port in
            let request =
                "GET /v1/search?q=boats HTTP/1.1\r\nHost: a\r\nAuthorization: \(guest.header)\r\n\r\n"
            let sockets = (0..<64).compactMap { _ in begin(port, request) }
            await until("all searches wait") { searches.waitingCount == 64 }
            for socket in sockets { close(socket) }
            await until("no search waits") { searches.waitingCount == 0 }
            for held in [first, second] { try await held.end() }
            #expect(
                exchange(port, request.replacing("Host: a", with: "Host: a\r\nConnection: close")).hasPrefix(
                    "HTTP/1.1 200 "))
        }
    }

    @Test("S47: a submission whose client left is there whole or not at all; what waited for its turn is not")
    func leftChanges() async throws {
        let (api, portal) = try await APIFixture.serving([.submit], trust: .seconds(60))
        let lane = api.test.library.processor.lane
        let (first, second) = (await HeldTurn(in: lane), await HeldTurn(in: lane))
        try await withServer(api) { port in
            func post(_ path: String, _ type: String, _ body: String) -> Int32? {
                begin(
                    port,
                    "POST \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: \(portal.header)\r\n"
                        + "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
            let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><circle r='5'/></svg>"
            let parts =
                "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.svg\"\r\n"
                + "Content-Type: image/svg+xml\r\n\r\n\(svg)\r\n"
                + "--x\r\nContent-Disposition: form-data; name=\"alt\"\r\n\r\nA circle\r\n--x--\r\n"
            let image = try #require(post("/v1/media", "multipart/form-data; boundary=x", parts))
            await until("the image waits") { lane.waitingCount == 1 }
            close(image)
            await until("no image waits") { lane.waitingCount == 0 }
            let fields = #"{"type":"article","contributor":"u","fields":{"title":"T","body":"<p>x</p>"}}"#
            for number in 0..<30 {
                let socket = try #require(post("/v1/submissions", "application/json", fields))
                try await Task.sleep(for: .microseconds(number * 200))
                close(socket)
            }
            // One whose client waits is still received.
            let request =
                "POST /v1/submissions HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: \(portal.header)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(fields.utf8.count)\r\n\r\n\(fields)"
            #expect(exchange(port, request).hasPrefix("HTTP/1.1 201 "))
        }
        for held in [first, second] { try await held.end() }
        let counts = try await api.test.client.one(
            """
            select (select count(*) from curation.submission) as submissions,
                (select count(*) from curation.queue_item) as queued,
                (select count(*) from ops.audit_event where action = 'submission.create') as events,
                (select count(*) from ops.media) as images
            """)
        let submissions = try counts("submissions") as Int
        #expect(submissions >= 1)
        #expect(try counts("queued") as Int == submissions)
        #expect(try counts("events") as Int == submissions)
        #expect(try counts("images") as Int == 0)
    }
}
