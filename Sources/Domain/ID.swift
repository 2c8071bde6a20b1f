// A typed ID: a UUID that the compiler keeps apart from the IDs of other entities.
import FoundationEssentials

/// The ID of a `Noun`, written as 36 lowercase characters.
///
/// The caller generates IDs (UUIDv7), because that requires the clock and a random number generator.
package struct ID<Noun>: Hashable, Sendable, Codable, CustomStringConvertible, LosslessStringConvertible {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }

    /// Reads exactly 8-4-4-4-12 hexadecimal digits of either case; anything else is nil.
    package init?(_ text: String) {
        guard let uuid = Self.parse(text) else { return nil }
        self.uuid = uuid
    }

    /// Reads the 16 bytes of a UUID.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
        self.uuid = UUID(uuid: uuid)
    }

    package var bytes: [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let uuid = Self.parse(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an id")
        }
        self.uuid = uuid
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Formatted by hand: `uuidString` is uppercase and several times slower.
    package var description: String {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                var at = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[at] = UInt8(ascii: "-")
                        at += 1
                    }
                    text[at] = Self.digit(byte >> 4)
                    text[at + 1] = Self.digit(byte & 15)
                    at += 2
                }
                return at
            }
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    private static func parse(_ text: String) -> UUID? {
        guard text.utf8.count == 36 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isWhole = withUnsafeMutableBytes(of: &uuid) { bytes in
            var nibbles = 0
            for (index, character) in text.utf8.enumerated() {
                if index == 8 || index == 13 || index == 18 || index == 23 {
                    guard character == UInt8(ascii: "-") else { return false }
                    continue
                }
                guard let value = value(ofDigit: character) else { return false }
                bytes[nibbles / 2] = bytes[nibbles / 2] << 4 | value
                nibbles += 1
            }
            return true
        }
        return isWhole ? UUID(uuid: uuid) : nil
    }

    private static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
