// Proves that the sender of a large body is asked for before the body is read.
import HTTP
import Synchronization
import Testing

@Suite("Admission before the body")
struct AdmissionTests {
    private static let large = 10_000_000

    private func withAdmission(
        _ answer: @escaping @Sendable (Request) async -> Response?, _ body: (Int) async throws -> Void
    ) async throws {
        try await withServer {
            $0.bodyLimit = { _, _ in Self.large }
            $0.admitsFirst = { _, _, length in length > 100 }
            $0.admission = answer
        } _: { server in
            try await body(server.port)
            await until { server.inFlight == 0 }
            #expect(server.inFlight == 0)
        }
    }

    private func head(_ path: String, _ length: Int, _ more: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: \(length)\r\n\(more)\r\n"
    }

    @Test(
        "S29: who may not send is answered while nothing of the body has been sent, whether that is known at once or later",
        arguments: ["/now", "/later"])
    func refused(path: String) async throws {
        let asked = Mutex(0)
        try await withAdmission { request in
            asked.withLock { $0 += 1 }
            #expect(request.path == path && request.body.bytes.isEmpty)
            if path == "/later" { try? await Task.sleep(for: .milliseconds(50)) }
            return .text("no", status: 401)
        } _: { port in
            for more in ["", "Expect: 100-continue\r\n"] {
                let client = RawClient(port).send(head(path, Self.large, more))
                let answer = client.answer()
                #expect(answer?.status == 401 && answer?.body == "no")
                #expect(answer?.header("Connection")?.lowercased() == "close")
            }
            // One that sends all the same gets to read its answer.
            let eager = RawClient(port).send(head(path, 200_000)).send([UInt8](repeating: 120, count: 200_000))
            #expect(eager.answer()?.status == 401)
        }
        #expect(asked.withLock { $0 } == 3)
    }

    @Test("S29: who may send is read as without it, also several times on one connection; a small body asks nobody")
    func admitted() async throws {
        let asked = Mutex(0)
        try await withAdmission { request in
            asked.withLock { $0 += 1 }
            if request.path == "/later" { try? await Task.sleep(for: .milliseconds(20)) }
            return nil
        } _: { port in
            let client = RawClient(port)
            for path in ["/now", "/later", "/now"] {
                let body = String(repeating: "x", count: 101)
                #expect(client.send(head(path, 101) + body).answer()?.body == "POST \(path) body:\(body)")
            }
            let small = String(repeating: "x", count: 100)
            #expect(client.send(head("/now", 100) + small).answer()?.status == 200)
            let patient = RawClient(port).send(head("/later", 101, "Expect: 100-continue\r\n"))
            #expect(patient.answer()?.status == 100)
            #expect(patient.send(String(repeating: "x", count: 101)).answer()?.status == 200)
        }
        #expect(asked.withLock { $0 } == 4)
    }

    @Test("S29: a client that goes away while it is looked at leaves nothing behind")
    func gone() async throws {
        try await withAdmission { _ in
            try? await Task.sleep(for: .milliseconds(100))
            return nil
        } _: { port in
            _ = RawClient(port).send(head("/later", Self.large))
            _ = RawClient(port).send(head("/later", Self.large))
            try? await Task.sleep(for: .milliseconds(300))
        }
    }
}
