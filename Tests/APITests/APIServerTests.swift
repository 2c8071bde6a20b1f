// Tests the API through a real server and socket.
import API
import Domain
import EventLoop
import FoundationEssentials
import Glibc
import HTTP
import Platform
import Postgres
import TestSupport
import Testing

@Suite("The API on a socket", .databases)
struct APIServerTests {
    private func exchange(_ port: Int, _ request: String) -> String {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return "" }
        let bytes = Array(request.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent, 0)
            }
            guard count > 0 else { break }
            sent += count
        }
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
        let api = try await APIFixture.make()
        let portal = try await api.client([.submit])
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
        let api = try await APIFixture.make(trust: .seconds(60))
        let guest = try await api.client([.readGuest])
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
}
