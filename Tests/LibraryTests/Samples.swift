// Sample images for tests: from the data folder, and small generated ones.
import FoundationEssentials
import Platform
import TestBasics
import TestSupport

enum Samples {
    /// The folder of real images, if any.
    static var folder: String? {
        TestData.exists ? TestData.folder("pictures") : nil
    }

    static func read(_ name: String) -> [UInt8]? {
        folder.flatMap { FileManager.default.contents(atPath: "\($0)/\(name)") }.map { [UInt8]($0) }
    }

    /// An uncompressed single-color PNG.
    static func png(width: Int, height: Int, grey: UInt8 = 128) -> [UInt8] {
        let row = [0] + [UInt8](repeating: grey, count: width)
        return png(width: width, height: height, data: stored(Array(repeatElement(row, count: height).joined())))
    }

    /// A PNG with any size in its header and any compressed data.
    static func png(width: Int, height: Int, data: [UInt8]) -> [UInt8] {
        let head = big(UInt32(width)) + big(UInt32(height)) + [8, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", head) + chunk("IDAT", data) + chunk("IEND", [])
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return big(UInt32(data.count)) + body + big(crc(body))
    }

    /// The zlib format with uncompressed blocks.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let size = UInt16(block.count)
            out += [rest.isEmpty ? 1 : 0, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)]
            out += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return out + big(high << 16 | low)
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
