// Tests that responses are compressed as the client accepts, with the right Vary and entity tags.
import API
import CBrotli
import CZlib
import Domain
import HTTP
import Store
import TestSupport
import Testing

@Suite("Compressed responses", .databases)
struct CompressionTests {
    private func get(
        _ target: String, _ accept: String, _ headers: [(String, String)] = [], as client: APIFixture.Client? = nil
    ) async throws -> APIReply {
        let world = try await PublishedWorld.shared.value
        let fields = [("Accept-Encoding", accept)] + headers
        let request = try world.api.request("GET", target, as: client ?? world.guest, headers: fields)
        return APIReply(response: await world.api.site.respond(request))
    }

    private func plain(_ reply: APIReply) throws -> [UInt8] {
        switch reply["Content-Encoding"] {
        case "br": return try Inflated.brotli(reply.bytes)
        case "gzip": return try Inflated.gzip(reply.bytes)
        default: return reply.bytes
        }
    }

    @Test(
        "JSON and pages from 1,024 bytes on are compressed, and say the same",
        arguments: ["/v1/items", "/v1/items?tier=free", "/openapi.json", "/openapi"], ["br", "gzip"])
    func content(target: String, coding: String) async throws {
        let identity = try await get(target, "identity")
        for _ in 1...2 {  // the second one is kept
            let compressed = try await get(target, coding)
            #expect(compressed["Content-Encoding"] == coding)
            #expect(compressed["Vary"]?.contains("Accept-Encoding") == true)
            #expect(compressed.bytes.count < identity.bytes.count / 2)
            #expect(try plain(compressed) == identity.bytes)
        }
        #expect(identity["Content-Encoding"] == nil)
    }

    @Test("Feeds for feed readers are compressed")
    func syndication() async throws {
        let world = try await PublishedWorld.shared.value
        for format in ["rss", "atom", "json"] {
            let reply = try await get("/v1/feeds/city/\(format)", "gzip")
            #expect(reply["Content-Encoding"] == "gzip", "\(format)")
            let same = try await world.api.get("/v1/feeds/city/\(format)", as: nil)
            #expect(try plain(reply) == same.bytes)
        }
    }

    @Test("A short response is not compressed, nor one for a client that accepts no coding of ours")
    func left() async throws {
        #expect(try await get("/v1/publication", "br, gzip")["Content-Encoding"] == nil)
        for accept in ["", "identity", "deflate", "br;q=0, gzip;q=0", "*;q=0"] {
            #expect(try await get("/v1/items", accept)["Content-Encoding"] == nil, "\(accept)")
        }
    }

    @Test("R34: the tag of a compressed copy is weak, and validates it with 304 on both paths, as that of a plain copy")
    func tags() async throws {
        let world = try await PublishedWorld.shared.value
        let strong = try #require(try await get("/v1/items", "identity")["ETag"])
        let weak = try #require(try await get("/v1/items", "gzip")["ETag"])
        #expect(weak == "W/" + strong, "different bytes have different strong tags")
        for tag in [strong, weak] {
            let fields = [("If-None-Match", tag), ("Accept-Encoding", "gzip")]
            let reply = try await world.api.get("/v1/items", as: world.guest, fields)
            #expect(reply.status == 304 && reply["ETag"] == tag)
            let request = try world.api.request("GET", "/v1/items", as: world.guest, headers: fields)
            let atOnce = try #require(world.api.site.fastPath(request))
            #expect(atOnce.status == 304 && atOnce.headers["ETag"] == tag)
            #expect(atOnce.headers["Vary"]?.contains("Accept-Encoding") == true)
        }
    }

    @Test("A28: guests and members get their own compressed copies")
    func scopes() async throws {
        let world = try await PublishedWorld.shared.value
        let target = "/v1/feeds/films"
        for _ in 1...2 {
            let full = try await get(target, "gzip", as: world.full)
            #expect(String(decoding: try plain(full), as: UTF8.self).contains("zanzibar"))
            let guest = try await get(target, "gzip", as: world.guest)
            #expect(!String(decoding: try plain(guest), as: UTF8.self).contains("zanzibar"))
        }
    }

    @Test(
        "JSON has no white space between its tokens, and all of it within strings",
        arguments: ["/v1/items", "/v1/feeds", "/v1/settings"])
    func compact(target: String) async throws {
        let reply = try await get(target, "identity")
        var isString = false
        var isEscaped = false
        var blanks = 0
        for byte in reply.bytes {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isString.toggle()
            } else if !isString, byte <= 0x20 {
                blanks += 1
            }
        }
        #expect(blanks == 0)
        #expect(!reply.data.isEmpty)
    }
}

/// Decompresses with the libraries' own decoders.
private enum Inflated {
    struct Unreadable: Error {}

    static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw Unreadable()
        }
        defer { inflateEnd(&stream) }
        var input = bytes
        return try [UInt8](unsafeUninitializedCapacity: 4 << 20) { output, count in
            try input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                guard inflate(&stream, Z_FINISH) == Z_STREAM_END else { throw Unreadable() }
            }
            count = output.count - Int(stream.avail_out)
        }
    }

    static func brotli(_ bytes: [UInt8]) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: 4 << 20) { output, count in
            var length = output.count
            guard
                BrotliDecoderDecompress(bytes.count, bytes, &length, output.baseAddress)
                    == BROTLI_DECODER_RESULT_SUCCESS
            else { throw Unreadable() }
            count = length
        }
    }
}
