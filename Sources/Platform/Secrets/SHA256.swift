// Computes SHA-256 hashes, and hexadecimal text.
import CSodium

package enum SHA256 {
    /// 32 bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        Sodium.start()
        var hash = [UInt8](repeating: 0, count: crypto_hash_sha256_bytes())
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }

    package static func hash(_ text: String) -> [UInt8] {
        hash(Array(text.utf8))
    }

    /// 64 lowercase hexadecimal digits.
    package static func hex(_ bytes: [UInt8]) -> String {
        Hex.text(hash(bytes))
    }

    package static func hex(_ text: String) -> String {
        hex(Array(text.utf8))
    }
}

package enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Lowercase, two digits per byte.
    package static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer[index * 2] = digits[Int(byte >> 4)]
                buffer[index * 2 + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }

    /// Parses two digits per byte in either case; nil for anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
