// The text form of UUIDs, without the detour through Foundation's formatter.
import FoundationEssentials

enum UUIDText {
    private static let digits = Array("0123456789abcdef".utf8)
    private static let isDashBefore: [Bool] = (0..<16).map { [4, 6, 8, 10].contains($0) }

    static func text(of uuid: UUID) -> String {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                var position = 0
                for index in 0..<16 {
                    if isDashBefore[index] {
                        text[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    text[position] = digits[Int(bytes[index] >> 4)]
                    text[position + 1] = digits[Int(bytes[index] & 15)]
                    position += 2
                }
                return position
            }
        }
    }

    static func uuid(from text: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard text.count == 36 else { return nil }
        var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
        let isWellFormed = withUnsafeMutableBytes(of: &uuid) { bytes in
            var position = 0
            for index in 0..<16 {
                if isDashBefore[index] {
                    guard text[position] == UInt8(ascii: "-") else { return false }
                    position += 1
                }
                guard let high = value(ofDigit: text[position]), let low = value(ofDigit: text[position + 1]) else {
                    return false
                }
                bytes[index] = high << 4 | low
                position += 2
            }
            return true
        }
        return isWellFormed ? UUID(uuid: uuid) : nil
    }

    /// The value of a hexadecimal digit, or nil.
    static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
