// Tests that the sender of a large body is checked before the body is read.
import HTTP
import Synchronization
import TestBasics
import Testing

@Suite("Admission before the body")
struct AdmissionTests {
    private static let large = 10_000_000

    private func withAdmission(
        _ response: @escaping @Sendable (Request) async -> Response?, _ body: (Int) async throws -> Void
    ) async throws {
        try await withServer {
            $0.bodyLimit = { _, _ in Self.large }
            $0.admitsFirst = { _, _, length in length > 100 }
            $0.admission = { await response($0).map { .refused($0) } ?? .known }
        } _: { server in
            try await body(server.port)
            await until("no request is in flight") { server.inFlight == 0 }
            #expect(server.inFlight == 0)
        }
    }

    private func head(_ path: String, _ length: Int, _ more: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: \(length)\r\n\(more)\r\n"
    }

    @Test(
        "S27, S29: a forbidden sender gets its response before any of the body is sent, whether decided at once or later, and a body that it sends anyway is not parsed as requests",
        arguments: ["/now", "/later"])
    func refused(path: String) async throws {
        let asked = Mutex(0)
        try await withAdmission { request in
            asked.withLock { $0 += 1 }
            #expect(request.path == path && request.body.bytes.isEmpty)
            // Later: in another turn of the loop.
            if path == "/later" { await Task.yield() }
            return .text("no", status: 401)
        } _: { port in
            for more in ["", "Expect: 100-continue\r\n"] {
                let client = RawClient(port).send(head(path, Self.large, more))
                let response = client.response()
                #expect(response?.status == 401 && response?.body == "no")
                #expect(response?.header("Connection")?.lowercased() == "close")
            }
            // A client that sends anyway can still read its response.
            let requests = String(repeating: "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n", count: 6000)
            let eager = RawClient(port).send(head(path, requests.utf8.count)).send(requests)
            #expect(eager.response()?.status == 401 && eager.rest().isEmpty)
        }
        #expect(asked.withLock { $0 } == 3)
    }

    @Test("S29: an allowed body is read as usual, also repeatedly on one connection; a small body is not checked")
    func admitted() async throws {
        let asked = Mutex(0)
        try await withAdmission { request in
            asked.withLock { $0 += 1 }
            // Later: in another turn of the loop.
            if request.path == "/later" { await Task.yield() }
            return nil
        } _: { port in
            let client = RawClient(port)
            for path in ["/now", "/later", "/now"] {
                let body = String(repeating: "x", count: 101)
                #expect(client.send(head(path, 101) + body).response()?.body == "POST \(path) body:\(body)")
            }
            let small = String(repeating: "x", count: 100)
            #expect(client.send(head("/now", 100) + small).response()?.status == 200)
            let patient = RawClient(port).send(head("/later", 101, "Expect: 100-continue\r\n"))
            #expect(patient.response()?.status == 100)
            #expect(patient.send(String(repeating: "x", count: 101)).response()?.status == 200)
        }
        #expect(asked.withLock { $0 } == 4)
    }

    @Test("S29: a client that disconnects during the check leaves nothing behind")
    func gone() async throws {
        let asked = Mutex(0)
        let admitted = Mutex(0)
        let isGone = Mutex(false)
        try await withAdmission { _ in
            asked.withLock { $0 += 1 }
            await until("the client that left is noticed") { isGone.withLock { $0 } }
            admitted.withLock { $0 += 1 }
            return nil
        } _: { port in
            do {
                let clients = (0..<2).map { _ in RawClient(port).send(head("/later", Self.large)) }
                await until("all have asked") { asked.withLock { $0 } == clients.count }
                withExtendedLifetime(clients) {}
            }
            isGone.withLock { $0 = true }
            await until("two are admitted") { admitted.withLock { $0 } == 2 }
            #expect(RawClient(port).send(head("/now", 1) + "x").response()?.body == "POST /now body:x")
        }
    }
}
