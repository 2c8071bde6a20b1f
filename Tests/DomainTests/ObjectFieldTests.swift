// Tests fields with object values: points, images, files, JSON.
import Domain
import Testing

@Suite struct ObjectFieldTests {
    @Test("a point has a valid latitude and longitude")
    func points() throws {
        let type = try ContentFixture.field("point")
        func point(_ lat: JSONValue?, _ lon: JSONValue?) -> JSONValue {
            .object(["lat": lat, "lon": lon].compactMapValues { $0 })
        }
        #expect(try type.stored(point(.int(-90), .double(180))) == point(.int(-90), .int(180)))
        #expect(
            type.problems(point(.double(90.001), .double(-180.001))) == [
                "too_large /fields/x/lat", "too_small /fields/x/lon",
            ])
        #expect(type.problems(point("51", nil)) == ["type /fields/x/lat", "required /fields/x/lon"])
        #expect(type.problems(point(.double(.nan), .int(0))) == ["type /fields/x/lat"])
        #expect(
            type.problems(.object(["lat": .int(0), "lng": .int(0)])) == [
                "unknown_field /fields/x/lng", "required /fields/x/lon",
            ])
        #expect(type.problems("51,0") == ["type /fields/x"])
    }

    @Test("an object is JSON within its size limit")
    func objects() throws {
        let type = try ContentFixture.field("json", #","max_bytes":9"#)
        #expect(try type.stored(.object(["a": .int(123)])) == .object(["a": .int(123)]))
        #expect(type.problems(.object(["a": .int(1234)])) == ["too_large /fields/x"])
        #expect(type.problems(.object(["a": "\0"])) == ["too_large /fields/x"])
        #expect(type.problems(.array([])) == ["type /fields/x"])
        #expect(try type.stored(.object([:])) == nil)
        let wide = try ContentFixture.field("json")
        #expect(wide.problems(.object(["a": .array(["b\0"])])) == ["control_characters /fields/x"])
        #expect(try wide.stored(.object(["a": "\\u0000"])) == .object(["a": "\\u0000"]))
    }

    @Test("an image is an https address, with what describes it")
    func images() throws {
        let type = try ContentFixture.field("image")
        #expect(try type.stored("https://a.b/c.jpg") == .object(["url": "https://a.b/c.jpg"]))
        let whole = JSONValue.object(["url": "https://a.b", "alt": "A cat", "width": .int(1), "height": .int(100_000)])
        #expect(try type.stored(whole) == whole)
        #expect(
            try type.stored(.object(["url": "https://a.b", "alt": " ", "width": .null]))
                == .object(["url": "https://a.b"]))
        #expect(type.problems("http://a.b/c.jpg") == ["scheme /fields/x"])
        #expect(type.problems(.object(["alt": "A"])) == ["required /fields/x/url"])
        let wrong = JSONValue.object([
            "url": "data:x", "alt": .int(1), "width": .int(0), "height": .int(100_001), "w": .null,
        ])
        #expect(
            type.problems(wrong) == [
                "unknown_field /fields/x/w", "scheme /fields/x/url", "type /fields/x/alt", "too_small /fields/x/width",
                "too_large /fields/x/height",
            ])
    }

    @Test("a file has an https address, a media type and a size")
    func files() throws {
        let type = try ContentFixture.field("file")
        let whole = JSONValue.object(["url": "https://a.b/c.mp4", "type": "video/mp4", "bytes": .int(0)])
        #expect(try type.stored(whole) == whole)
        #expect(
            type.problems(.object(["url": "https://a.b", "type": "mp4", "bytes": .int(-1)])) == [
                "too_small /fields/x/bytes", "format /fields/x/type",
            ])
        #expect(type.problems("https://a.b") == ["type /fields/x"])
    }
}
