// The helper that decodes images: what it gives, what it refuses, and what becomes of it at its limits.
import Domain
import FoundationEssentials
import Library
import Platform
import TestSupport
import Testing

@Suite("Images are read by a program of their own", .serialized)
struct ImageProcessorTests {
    /// The code of a refusal; nil when the image is taken.
    private func refusal(_ bytes: [UInt8], _ limits: ImageLimits = ImageLimits()) async throws -> String? {
        do {
            let made = try await TestDatabase.maker(limits).files(of: bytes)
            #expect(!made.files.isEmpty)
            return nil
        } catch Failure.invalid(let errors) {
            let item = try #require(errors.items.first)
            #expect(item.pointer == "/file" && item.message.hasSuffix("."))
            return item.code
        }
    }

    @Test("B9: an image comes in the configured widths below its own, and in full")
    func widths() async throws {
        let limits = ImageLimits(widths: [64, 200, 199, 300])
        let made = try await TestDatabase.maker(limits).files(of: Samples.png(width: 200, height: 100))
        #expect(made.type == "image/jpeg")
        #expect(made.files.map(\.width) == [64, 199, 200])
        #expect(made.files.map(\.height) == [32, 100, 100] || made.files.map(\.height) == [32, 99, 100])
        #expect(made.files.allSatisfy { $0.bytes.starts(with: [0xFF, 0xD8, 0xFF]) })
    }

    @Test("S36, A40: every image of the data folder is encoded anew or refused with a reason")
    func corpus() async throws {
        guard let folder = Samples.folder else {
            print("Skipped: no images beside the package; small ones made by the tests stand in.")
            #expect(try await refusal(Samples.png(width: 3, height: 2)) == nil)
            return
        }
        let refused: [String: String] = [
            "pillow__broken_data_stream.png": "damaged", "thumbor__BlueSquare_truncated.jpg": "damaged",
            "thumbor__16384x16384.png": "too_many_pixels", "thumbor__image_invalid.jpg": "not_a_image",
            "sharp__animated-loop-3.gif": "animated", "sharp__rotating-squares.gif": "animated",
            "sharp__rotating-squares.webp": "animated", "thumbor__animated.gif": "animated",
            "thumbor__SmallFullColorGIF.gif": "animated",
        ]
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix(".md") }
        #expect(names.count > 60)
        for name in names.sorted() {
            let bytes = try #require(Samples.read(name))
            let expected = name.hasSuffix(".svg") ? "svg" : refused[name]
            #expect(try await refusal(bytes) == expected, "\(name)")
        }
    }

    @Test(
        "S36: orientation is applied, and no position or other metadata is left",
        arguments: [
            ("exif-samples__DSCN0010.jpg", 640, 480), ("pillow__exif_gps.jpg", 8, 8),
            ("exif-samples__landscape_6.jpg", 600, 450), ("exif-samples__landscape_7.jpg", 600, 450),
            ("exif-orientation-examples__Portrait_6.jpg", 1200, 1800), ("pillow__hopper_orientation_5.webp", 128, 128),
        ])
    func metadata(name: String, width: Int, height: Int) async throws {
        guard let bytes = Samples.read(name) else { return }
        let made = try await TestDatabase.maker().files(of: bytes)
        let whole = try #require(made.files.last)
        #expect(whole.width == width && whole.height == height)
        for file in made.files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for mark in ["Exif", "GPS", "ns.adobe.com", "ICC_PROFILE", "Photoshop", "NIKON"] {
                #expect(!text.contains(mark), "\(name) at \(file.width) holds \(mark)")
            }
        }
    }

    @Test("S36: what is no still raster image is refused, whatever its name says")
    func liars() async throws {
        #expect(try await refusal([]) == "empty")
        #expect(try await refusal(Array("<!doctype html><script>alert(1)</script>".utf8)) == "svg")
        #expect(try await refusal(Array("  \n<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)) == "svg")
        #expect(try await refusal(Array("<?xml version='1.0'?><svg/>".utf8)) == "svg")
        #expect(try await refusal(Array("%PDF-1.7".utf8)) == "not_a_image")
        #expect(try await refusal(Array("MZ\0\0".utf8)) == "not_a_image")
        // A page that is an image for whoever looks at the first bytes only.
        #expect(try await refusal(Array("GIF89a/*<html><script>alert(1)</script>*/=1;".utf8)) == "damaged")
        let png = Samples.png(width: 40, height: 30)
        #expect(try await refusal(Array(png.prefix(png.count / 2))) == "damaged")
        #expect(try await refusal(Array(png.prefix(8))) == "damaged")
    }

    @Test("S37: what stands behind an image does not come out")
    func polyglot() async throws {
        let page = "<html><script>alert(document.domain)</script></html>"
        let made = try await TestDatabase.maker().files(of: Samples.png(width: 40, height: 30) + Array(page.utf8))
        for file in made.files { #expect(!String(decoding: file.bytes, as: UTF8.self).contains("script")) }
    }

    @Test("S36: as many bytes and pixels as are allowed are taken, and not one more")
    func boundaries() async throws {
        let png = Samples.png(width: 40, height: 25)
        #expect(try await refusal(png, ImageLimits(bytes: png.count)) == nil)
        #expect(try await refusal(png, ImageLimits(bytes: png.count - 1)) == "too_large")
        #expect(try await refusal(png, ImageLimits(pixels: 1000)) == nil)
        #expect(try await refusal(png, ImageLimits(pixels: 999)) == "too_many_pixels")
        // The head alone decides: there is no such data behind it.
        let bomb = Samples.png(width: 16_000, height: 16_000, data: [0x78, 0x01])
        #expect(try await refusal(bomb) == "too_many_pixels")
    }

    @Test("F25: a helper that reaches its limits is ended, and we are not")
    func limits() async throws {
        let large = Samples.png(width: 3000, height: 2000)
        #expect(try await refusal(large, ImageLimits(bytes: 64 << 20, memory: 200)) == "too_costly")
        // Fifteen files that take longer than the one second of processor time that they may.
        let widths = Array(stride(from: 2850, through: 2999, by: 10))
        #expect(
            try await refusal(large, ImageLimits(bytes: 64 << 20, seconds: 1, widths: widths)) == "too_costly")
        #expect(try await refusal(Samples.png(width: 3, height: 3)) == nil)
    }

    @Test("A helper that is not there is our trouble, not that of the image")
    func missing() async throws {
        let maker = ImageProcessor(path: "/nowhere/vitrine-media", limits: ImageLimits())
        await #expect(throws: Failure.self) { try await maker.files(of: Samples.png(width: 3, height: 3)) }
    }

    @Test("Many images at once wait for their turn")
    func turns() async throws {
        let maker = TestDatabase.maker(ImageLimits(widths: [2], atOnce: 2))
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...12 {
                group.addTask {
                    try await maker.files(of: Samples.png(width: 10, height: 10, grey: UInt8(number))).files.count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 24)
    }
}
