// Tests where long responses are compressed.
import HTTP
import Testing

@Suite("Compressed bodies")
struct CompressedBodiesTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n"

    /// The coding of a response with so many bytes.
    private func coding(_ length: Int, _ run: @escaping CompressedBodies.Runner) async throws -> String? {
        let compressed = CompressedBodies(run)
        let handler: Handler = { request in
            var response = Response.text(String(repeating: "a", count: length))
            await compressed.apply(to: &response, for: request)
            return response
        }
        return try await withServer(handler: handler) { server in
            let reply = RawClient(server.port).send(Self.get).response()
            #expect(reply?.status == 200)
            return reply?.header("Content-Encoding")
        }
    }

    @Test("S47: a long response is compressed by workers, and sent as it is when they are busy; a short one needs none")
    func busy() async throws {
        let limit = 64 << 10
        let short = try await coding(limit) { _, _ in nil }
        #expect(short == "gzip")
        let long = try await coding(limit + 1) { _, _ in nil }
        #expect(long == nil)
        let worked = try await coding(limit + 1) { _, work in work() }
        #expect(worked == "gzip")
    }
}
