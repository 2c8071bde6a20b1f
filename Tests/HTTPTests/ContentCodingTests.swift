// Tests which coding a client gets, and for which media types.
import HTTP
import TestBasics
import Testing

@Suite("Content codings")
struct ContentCodingTests {
    @Test(
        "The preferred coding is chosen, brotli at equal weight, none if the client prefers none",
        arguments: [
            (nil, nil), ("", nil), ("gzip", .gzip), ("br", .brotli), ("gzip, deflate, br", .brotli),
            ("gzip;q=1.0, br;q=0.9", .gzip), ("br;q=0.5, gzip;q=0.5", .brotli), ("br;q=0, gzip", .gzip), ("*", .brotli),
            ("*;q=0", nil), ("gzip;q=0", nil), ("br;q=0, *", .gzip), ("identity", nil), ("deflate, zstd", nil),
            ("identity;q=0.5, gzip;q=0.4", nil), ("identity;q=0.5, gzip;q=0.5", .gzip), ("GZIP ; Q=0.3", .gzip),
            ("gzip;q=x", nil), (" , gzip", .gzip), ("gzip;level=9;q=0.2", .gzip),
        ] as [(String?, ContentCoding?)])
    func preferred(accept: String?, coding: ContentCoding?) {
        #expect(ContentCoding.preferred(by: accept) == coding)
    }

    @Test(
        "Text, JSON and XML are compressed; images and unknown types are not",
        arguments: [
            ("application/json", true), ("application/problem+json", true), ("application/feed+json", true),
            ("application/rss+xml; charset=utf-8", true), ("text/html; charset=utf-8", true), ("image/svg+xml", true),
            ("text/javascript", true), ("image/png", false), ("application/octet-stream", false), ("font/woff2", false),
            (nil, false), ("nonsense", false),
        ])
    func types(type: String?, isCompressed: Bool) {
        #expect(ContentCoding.compresses(type) == isCompressed)
    }

    @Test("Bytes that do not become fewer stay as they are", arguments: ContentCoding.allCases)
    func incompressible(coding: ContentCoding) {
        var random = SeededGenerator(seed: 1)
        #expect(coding.compress((0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }) == nil)
        #expect(coding.compress([]) == nil)
        let text = [UInt8](repeating: 0x61, count: 1024)
        #expect((coding.compress(text)?.count ?? 1024) < 100)
        #expect(coding.compress([UInt8](repeating: 0x61, count: 3 << 20)) != nil)
    }

    @Test("S47: compressed bytes take no more memory than limits of memory count", arguments: ContentCoding.allCases)
    func memory(coding: ContentCoding) throws {
        let compressed = try #require(coding.compress([UInt8](repeating: 0x61, count: 200_000)))
        #expect(compressed.count < 2000 && compressed.capacity < 4096)
    }
}
