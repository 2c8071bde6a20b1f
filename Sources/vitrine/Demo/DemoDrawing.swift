// Draws small landscapes, each determined by a number: sky, sun and two hills.
import Glibc

struct DemoDrawing: Sendable {
    static let width = 960
    static let height = 640

    private let palette: [UInt8]
    private let sun: (x: Double, y: Double, radius: Double)
    private let hills: [(level: Double, amplitude: Double, length: Double, start: Double)]

    /// Sky, sun, far hill, near hill: red, green and blue of each.
    private static let palettes: [[UInt8]] = [
        [246, 226, 202, 228, 110, 82, 144, 152, 160, 62, 84, 98],
        [206, 226, 236, 248, 214, 120, 122, 162, 148, 48, 96, 84],
        [238, 210, 214, 250, 240, 220, 168, 126, 148, 92, 62, 92],
        [40, 54, 86, 240, 232, 204, 74, 92, 128, 22, 30, 52],
        [224, 232, 210, 236, 150, 74, 150, 172, 118, 86, 108, 58],
    ]

    init(_ number: Int) {
        func part(_ step: Int, _ count: Int) -> Double { Double((number * step + step) % count) / Double(count) }
        palette = Self.palettes[abs(number) % Self.palettes.count]
        sun = (0.2 + 0.6 * part(7, 11), 0.25 + 0.2 * part(5, 7), 0.08 + 0.06 * part(3, 5))
        hills = [
            (0.58 + 0.08 * part(3, 7), 0.07, 0.9 + part(5, 9), 6 * part(2, 13)),
            (0.74 + 0.08 * part(2, 5), 0.05, 1.4 + part(7, 8), 6 * part(5, 11)),
        ]
    }

    /// A PNG of four colors.
    var png: [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Two bits per pixel, palette colors, no interlacing.
        let header = Self.bytes(UInt32(Self.width)) + Self.bytes(UInt32(Self.height)) + [2, 3, 0, 0, 0]
        file += Self.chunk("IHDR", header)
        file += Self.chunk("PLTE", palette)
        file += Self.chunk("IDAT", Self.stored(lines))
        return file + Self.chunk("IEND", [])
    }

    private var lines: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((Self.width / 4 + 1) * Self.height)
        let (width, height) = (Double(Self.width), Double(Self.height))
        let edges = hills.map { hill in
            (0..<Self.width).map { x in
                (hill.level + hill.amplitude * sin(Double(x) / width * hill.length * 6.28 + hill.start)) * height
            }
        }
        for y in 0..<Self.height {
            bytes.append(0)
            for start in stride(from: 0, to: Self.width, by: 4) {
                var four: UInt8 = 0
                for x in start..<(start + 4) {
                    four = four << 2 | color(Double(x), Double(y), edges[0][x], edges[1][x])
                }
                bytes.append(four)
            }
        }
        return bytes
    }

    private func color(_ x: Double, _ y: Double, _ far: Double, _ near: Double) -> UInt8 {
        if y >= near { return 3 }
        if y >= far { return 2 }
        let (dx, dy) = (x - sun.x * Double(Self.width), y - sun.y * Double(Self.height))
        let radius = sun.radius * Double(Self.width)
        return dx * dx + dy * dy <= radius * radius ? 1 : 0
    }

    // MARK: The format (ISO/IEC 15948, RFC 1950)

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bytes(UInt32(content.count)) + body + bytes(checksum(body))
    }

    /// zlib format without compression: blocks of at most 65,535 bytes and a checksum.
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var rest = content[...]
        while !rest.isEmpty {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            out += [rest.isEmpty ? 1 : 0]
            out += [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            out += block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in content {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return out + bytes(high << 16 | low)
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func checksum(_ content: [UInt8]) -> UInt32 {
        ~content.reduce(~UInt32(0)) { value, byte in table[Int((value ^ UInt32(byte)) & 0xFF)] ^ (value >> 8) }
    }
}
