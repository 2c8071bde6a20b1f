// Tests the image helper: its output, its refusals and its limits.
import Domain
import FoundationEssentials
import Operations
import Platform
import Synchronization
import TestBasics
import TestSupport
import Testing

@Suite("Image processing", .serialized)
struct ImageProcessorTests {
    /// The code of a refusal; nil for an accepted image.
    private func refusal(_ bytes: [UInt8], _ limits: ImageLimits = ImageLimits()) async throws -> String? {
        do {
            let encoded = try await TestDatabase.imageProcessor(limits).files(of: bytes)
            #expect(!encoded.files.isEmpty)
            return nil
        } catch Failure.invalid(let errors) {
            let item = try #require(errors.items.first)
            #expect(item.pointer == "/file" && item.message.hasSuffix("."))
            return item.code
        }
    }

    @Test("B9: an image has files in the configured widths below its own, and in full size")
    func widths() async throws {
        let limits = ImageLimits(widths: [64, 200, 199, 300])
        let encoded = try await TestDatabase.imageProcessor(limits).files(of: Samples.png(width: 200, height: 100))
        #expect(encoded.type == "image/jpeg")
        #expect(encoded.files.map(\.width) == [64, 199, 200])
        #expect(encoded.files.map(\.height) == [32, 100, 100] || encoded.files.map(\.height) == [32, 99, 100])
        #expect(encoded.files.allSatisfy { $0.bytes.starts(with: [0xFF, 0xD8, 0xFF]) })
    }

    @Test("S36, A40: every image of the data folder is re-encoded or refused with a reason")
    func corpus() async throws {
        guard let folder = Samples.folder else {
            print("Skipped: no data folder with images; a generated image is used instead.")
            #expect(try await refusal(Samples.png(width: 3, height: 2)) == nil)
            return
        }
        let refused: [String: String] = [
            "pillow__broken_data_stream.png": "damaged", "thumbor__BlueSquare_truncated.jpg": "damaged",
            "thumbor__16384x16384.png": "too_many_pixels", "thumbor__image_invalid.jpg": "not_an_image",
            "sharp__animated-loop-3.gif": "animated", "sharp__rotating-squares.gif": "animated",
            "sharp__rotating-squares.webp": "animated", "thumbor__animated.gif": "animated",
            "thumbor__SmallFullColourGIF.gif": "animated",
        ]
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix(".md") }
        #expect(names.count > 60)
        for name in TestScale.sample(names.sorted()) {
            let bytes = try #require(Samples.read(name))
            // Test files of SVG sanitizers are drawn or refused, each for its own reason.
            if name.hasPrefix("svg-sanitizer__") {
                _ = try await refusal(bytes, ImageLimits(seconds: 2))
            } else {
                #expect(try await refusal(bytes) == refused[name], "\(name)")
            }
        }
    }

    @Test(
        "S36: orientation is applied; location and other metadata are removed",
        .enabled(if: TestData.exists, TestData.missing),
        arguments: [
            ("exif-samples__DSCN0010.jpg", 640, 480), ("pillow__exif_gps.jpg", 8, 8),
            ("exif-samples__landscape_6.jpg", 600, 450), ("exif-samples__landscape_7.jpg", 600, 450),
            ("exif-orientation-examples__Portrait_6.jpg", 1200, 1800), ("pillow__hopper_orientation_5.webp", 128, 128),
        ])
    func metadata(name: String, width: Int, height: Int) async throws {
        let bytes = try #require(Samples.read(name))
        let encoded = try await TestDatabase.imageProcessor().files(of: bytes)
        let full = try #require(encoded.files.last)
        #expect(full.width == width && full.height == height)
        for file in encoded.files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for mark in ["Exif", "GPS", "ns.adobe.com", "ICC_PROFILE", "Photoshop", "NIKON"] {
                #expect(!text.contains(mark), "\(name) at \(file.width) contains \(mark)")
            }
        }
    }

    @Test("S36, S38: a file that is not a still raster image is refused, and so is an archive")
    func otherFiles() async throws {
        #expect(try await refusal([]) == "empty")
        #expect(try await refusal(Array("<!doctype html><script>alert(1)</script>".utf8)) == "not_an_image")
        #expect(try await refusal(Array("<?xml version='1.0'?><svg/>".utf8)) == "not_an_image")
        #expect(try await refusal(Array("%PDF-1.7".utf8)) == "not_an_image")
        #expect(try await refusal(Array("MZ\0\0".utf8)) == "not_an_image")
        // ZIP, gzip and 7z.
        for start: [UInt8] in [[0x50, 0x4B, 3, 4, 20, 0], [0x1F, 0x8B, 8, 0], [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]] {
            #expect(try await refusal(start + [UInt8](repeating: 0, count: 64)) == "not_an_image")
        }
        // An HTML page with the signature of an image.
        #expect(try await refusal(Array("GIF89a/*<html><script>alert(1)</script>*/=1;".utf8)) == "damaged")
        let png = Samples.png(width: 40, height: 30)
        #expect(try await refusal(Array(png.prefix(png.count / 2))) == "damaged")
        #expect(try await refusal(Array(png.prefix(8))) == "damaged")
    }

    @Test("An animated PNG is refused; one with a single frame, or frames announced after the pixels, is still")
    func animatedPNG() async throws {
        let still = Samples.png(width: 40, height: 30)
        func with(_ frames: [UInt8], at end: Int) -> [UInt8] {
            Array(still.prefix(end)) + Samples.chunk("acTL", frames + [0, 0, 0, 0]) + Array(still.dropFirst(end))
        }
        // After the signature and the header; before the last chunk.
        let (start, end) = (8 + 25, still.count - 12)
        #expect(try await refusal(with([0, 0, 0, 2], at: start)) == "animated")
        #expect(try await refusal(with([255, 255, 255, 255], at: start)) == "animated")
        #expect(try await refusal(with([0, 0, 0, 1], at: start)) == nil)
        #expect(try await refusal(with([0, 0, 0, 0], at: start)) == nil)
        #expect(try await refusal(with([0, 0, 0, 2], at: end)) == nil)
    }

    @Test("An AVIF or HEIF file with tracks is refused as animated, wherever they are; one without is not")
    func imageSequence() async throws {
        func box(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
            [0, 0, 0, UInt8(8 + content.count)] + Array(type.utf8) + content
        }
        let brands: [String] = ["avis", "avif", "msf1", "heic", "mif1"]
        let wide: [UInt8] = [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 18, 1, 2]
        for brand in brands {
            let start = box("ftyp", Array(brand.utf8) + [0, 0, 0, 0]) + box("meta", [0, 0, 0, 0])
            #expect(try await refusal(start + box("moov", [0])) == "animated", "\(brand)")
            #expect(try await refusal(start + wide + box("moov")) == "animated", "\(brand)")
            // Without an image.
            #expect(try await refusal(start + box("mdat", Array("....moov".utf8))) == "damaged", "\(brand)")
            let wrong: [UInt8] = [0, 0, 0, 7] + Array("mdat".utf8)
            #expect(try await refusal(start + wrong + box("moov")) == "damaged", "\(brand)")
        }
    }

    private static let svg = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink' "

    @Test("A9, S36: an SVG logo becomes a PNG in every width; the original is not kept")
    func drawing() async throws {
        let logo = Self.svg + "viewBox='0 0 20 10' onload='alert(1)'><script>alert(1)</script><circle r='5'/></svg>"
        let limits = ImageLimits(widths: [64, 200])
        let encoded = try await TestDatabase.imageProcessor(limits).files(of: Array(logo.utf8))
        #expect(encoded.type == "image/png" && encoded.files.map(\.width) == [64, 200])
        #expect(encoded.files.map(\.height) == [32, 100])
        for file in encoded.files {
            #expect(file.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(!String(decoding: file.bytes, as: UTF8.self).contains("script"))
        }
        // The longer side is the largest width, within the limit of pixels.
        let tall = Self.svg + "width='10mm' height='20mm'><rect width='5' height='5'/></svg>"
        let small = try await TestDatabase.imageProcessor(ImageLimits(pixels: 5000, widths: [200])).files(
            of: Array(tall.utf8))
        #expect(small.files.map(\.width) == [50] && small.files.map(\.height) == [100])
    }

    @Test(
        "A9, S36: what would be missing in the drawing is refused, and nothing outside the file is read",
        arguments: [
            ("viewBox='0 0 9 9'><text>Vitrine</text></svg>", "svg_text"),
            ("viewBox='0 0 9 9'><text> </text><rect width='9' height='9'/></svg>", nil),
            ("viewBox='0 0 9 9'><image x:href='file:///etc/passwd'/></svg>", "svg_external"),
            ("viewBox='0 0 9 9'><image href='http://127.0.0.1/a.png'/></svg>", "svg_external"),
            ("viewBox='0 0 9 9'><use href='b.svg#a'/></svg>", "svg_external"),
            ("viewBox='0 0 9 9'><image href='data:image/gif;base64,R0lGODlhAQABAAAAACw='/></svg>", "svg_external"),
            ("viewBox='0 0 9 9'><rect id='a' width='9' height='9'/><use href='#a'/></svg>", nil),
            ("viewBox='0 0 9 9'><rect><animate/></rect></svg>", "animated"),
            ("><rect width='9' height='9'/></svg>", "svg_size"),
            ("viewBox='0 0 9 9'><rect", "damaged"),
        ] as [(String, String?)])
    func drawings(rest: String, code: String?) async throws {
        #expect(try await refusal(Array((Self.svg + rest).utf8)) == code)
    }

    @Test("S36: an SVG that expands without end, or reads files by entities, is refused within the limits")
    func drawingBombs() async throws {
        let limits = ImageLimits(seconds: 2)
        let file = "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        #expect(
            try await refusal(Array((file + Self.svg + "viewBox='0 0 9 9'><title>&x;</title></svg>").utf8)) != "svg")
        let groups = (1...12).map {
            "<g id='g\($0)'>" + String(repeating: "<use href='#g\($0 - 1)'/>", count: 10) + "</g>"
        }
        let bomb = Self.svg + "viewBox='0 0 9 9'><rect id='g0' width='9' height='9'/>" + groups.joined() + "</svg>"
        let code = try await refusal(Array(bomb.utf8), limits)
        #expect(code == "too_costly" || code == "damaged")
    }

    @Test("S37: data after an image is dropped")
    func polyglot() async throws {
        let page = "<html><script>alert(document.domain)</script></html>"
        let encoded = try await TestDatabase.imageProcessor().files(
            of: Samples.png(width: 40, height: 30) + Array(page.utf8))
        for file in encoded.files { #expect(!String(decoding: file.bytes, as: UTF8.self).contains("script")) }
    }

    @Test("S36: the limits of bytes and pixels are inclusive")
    func boundaries() async throws {
        let png = Samples.png(width: 40, height: 25)
        #expect(try await refusal(png, ImageLimits(bytes: png.count)) == nil)
        #expect(try await refusal(png, ImageLimits(bytes: png.count - 1)) == "too_large")
        #expect(try await refusal(png, ImageLimits(pixels: 1000)) == nil)
        #expect(try await refusal(png, ImageLimits(pixels: 999)) == "too_many_pixels")
        // The header alone decides: the image data is missing.
        let bomb = Samples.png(width: 16_000, height: 16_000, data: [0x78, 0x01])
        #expect(try await refusal(bomb) == "too_many_pixels")
    }

    @Test("F25: a helper that exceeds its limits is killed, the daemon is not")
    func limits() async throws {
        let large = Samples.png(width: 3000, height: 2000)
        #expect(try await refusal(large, ImageLimits(bytes: 64 << 20, memory: 200)) == "too_costly")
        // Fifteen files take longer than the one second of CPU time.
        let widths = Array(stride(from: 2850, through: 2999, by: 10))
        #expect(
            try await refusal(large, ImageLimits(bytes: 64 << 20, seconds: 1, widths: widths)) == "too_costly")
        #expect(try await refusal(Samples.png(width: 3, height: 3)) == nil)
    }

    @Test("A missing helper is a server error, not an invalid image")
    func missing() async throws {
        let processor = ImageProcessor(path: "/nowhere/vitrine-media", limits: ImageLimits())
        await #expect(throws: Failure.self) { try await processor.files(of: Samples.png(width: 3, height: 3)) }
    }

    /// Takes about a second to encode.
    private static let slowLimits = ImageLimits(
        bytes: 64 << 20, widths: Array(stride(from: 2850, through: 2999, by: 10)), concurrency: 1)
    private static let slow = Samples.png(width: 3000, height: 2000)
    private static let busy = Caller.network("192.0.2.1")
    private static let other = Caller.network("192.0.2.2")

    /// What was encoded, in order.
    private final class Finished: Sendable {
        private let all = Mutex<[String]>([])
        var names: [String] { all.withLock { $0 } }
        func add(_ name: String) { all.withLock { $0.append(name) } }
    }

    @Test(
        "S36: twelve slow images of one client hold up another client's by one; those of a client that left are dropped"
    )
    func turns() async throws {
        let processor = TestDatabase.imageProcessor(Self.slowLimits)
        let done = Finished()
        let slow = Self.slow
        func start(_ name: String, _ image: [UInt8], _ caller: Caller) -> Task<Void, any Error> {
            Task {
                try await Caller.$current.withValue(caller) {
                    _ = try await processor.files(of: image)
                    done.add(name)
                }
            }
        }
        // Nothing ends before all wait.
        let held = await HeldTurn(in: processor.lane)
        var busy: [Task<Void, any Error>] = []
        for number in 1...12 {
            busy.append(start("slow", slow, Self.busy))
            await until("the image waits") { processor.lane.waitingCount == number }
        }
        let other = start("other", Samples.png(width: 10, height: 10), Self.other)
        await until("all wait") { processor.lane.waitingCount == 13 }
        try await held.end()
        try await other.value
        let order = done.names
        #expect(order.firstIndex(of: "other").map { $0 <= 2 } == true, "\(order)")
        for task in busy { task.cancel() }
        await until("nothing waits") { processor.lane.waitingCount == 0 }
        for task in busy { _ = try? await task.value }
        #expect(done.names.count < 13)
        #expect(try await processor.lane.run { 7 } == 7, "the place is free again")
    }

    @Test("S36: when many images wait, the next is refused for now, and one that has no turn in time, too")
    func full() async throws {
        let processor = TestDatabase.imageProcessor(ImageLimits(widths: [2], concurrency: 1))
        let image = Samples.png(width: 10, height: 10)
        let held = await HeldTurn(in: processor.lane)
        var waiting: [Task<Int, any Error>] = []
        for number in 1...32 {
            waiting.append(Task { try await processor.files(of: image).files.count })
            await until("the image waits") { processor.lane.waitingCount == number }
        }
        let refusal = Failure.unavailable("Too many images are being processed. Try again in a moment.")
        await #expect(throws: refusal) { try await processor.files(of: image) }
        for task in waiting.dropFirst() { task.cancel() }
        await until("one waits") { processor.lane.waitingCount == 1 }
        try await held.end()
        #expect(try await waiting[0].value == 2)
    }

    @Test("S36: a vector image has a limit of its own")
    func vectorTime() async throws {
        let limits = ImageLimits(seconds: 600, vectorSeconds: 1)
        let filter = String(repeating: "<feTurbulence baseFrequency='.9' numOctaves='9'/>", count: 40)
        let bomb =
            Self.svg + "viewBox='0 0 9 9'><filter id='f'>" + filter + "</filter>"
            + String(repeating: "<rect width='9' height='9' filter='url(#f)'/>", count: 200) + "</svg>"
        let began = ContinuousClock.now
        #expect(try await refusal(Array(bomb.utf8), limits) == "too_costly")
        // After twice the time of the limit, and five seconds.
        #expect(ContinuousClock.now - began < Patience.seconds(30))
        // Pixels have theirs.
        #expect(try await refusal(Samples.png(width: 3, height: 3), limits) == nil)
    }

    @Test("Concurrent images are queued")
    func concurrency() async throws {
        let processor = TestDatabase.imageProcessor(ImageLimits(widths: [2], concurrency: 2))
        let counts = try await concurrently(1...12) { number in
            try await processor.files(of: Samples.png(width: 10, height: 10, grey: UInt8(number))).files.count
        }
        #expect(counts.reduce(0, +) == 24)
    }
}
