// The types that a column can be decoded as.
import FoundationEssentials

/// The text of one column that is not NULL; valid only while it is being decoded.
package struct PostgresCell {
    package let bytes: UnsafeBufferPointer<UInt8>
    /// The type's OID as PostgreSQL reports it; 0 inside arrays.
    package let type: UInt32

    static let byteaType: UInt32 = 17
}

/// A type that a column can be decoded as. Enums and other `RawRepresentable` types conform without code.
package protocol PostgresDecodable {
    /// The value, or nil when the text does not fit the type.
    static func decode(_ cell: PostgresCell) -> Self?
    /// The value for NULL; nil when the type can't represent it.
    static func decodeNull() -> Self?
    static func decodeArray(_ cell: PostgresCell) -> [Self]?
}

extension PostgresDecodable {
    package static func decodeNull() -> Self? { nil }

    package static func decodeArray(_ cell: PostgresCell) -> [Self]? {
        var elements: [Self] = []
        let isArray = ArrayLiteral.read(cell.bytes) { element in
            guard let value = element.map({ decode(PostgresCell(bytes: $0, type: 0)) }) ?? decodeNull() else {
                return false
            }
            elements.append(value)
            return true
        }
        return isArray ? elements : nil
    }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> Self? {
        RawValue.decode(cell).flatMap(Self.init(rawValue:))
    }
}

extension String: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> String? { String(decoding: cell.bytes, as: UTF8.self) }
}

extension Bool: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> Bool? {
        guard cell.bytes.count == 1 else { return nil }
        switch cell.bytes[0] {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: return nil
        }
    }
}

extension PostgresDecodable where Self: FixedWidthInteger {
    package static func decode(_ cell: PostgresCell) -> Self? {
        var digits = cell.bytes[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        guard !digits.isEmpty else { return nil }
        var number: Self = 0
        for character in digits {
            let digit = character &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            // Negative numbers are accumulated downwards, because the minimum has no positive counterpart.
            let (sum, isPastEnd) =
                isNegative
                ? product.subtractingReportingOverflow(Self(digit)) : product.addingReportingOverflow(Self(digit))
            if isTooLarge || isPastEnd { return nil }
            number = sum
        }
        return number
    }
}

extension Int: PostgresDecodable {}
extension Int64: PostgresDecodable {}
extension Int32: PostgresDecodable {}

extension Double: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> Double? { Double(String(decoding: cell.bytes, as: UTF8.self)) }
}

extension UUID: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> UUID? { UUIDText.uuid(from: cell.bytes) }
}

extension Date: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> Date? { TimestampText.date(from: cell.bytes) }
}

extension UInt8: PostgresDecodable {
    /// An array of bytes is the text of any column, or the content of a `bytea`.
    package static func decodeArray(_ cell: PostgresCell) -> [UInt8]? {
        guard cell.type == PostgresCell.byteaType else { return Array(cell.bytes) }
        let text = cell.bytes
        guard text.count >= 2, text.count % 2 == 0, text[0] == UInt8(ascii: "\\"), text[1] == UInt8(ascii: "x") else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2 - 1)
        for index in stride(from: 2, to: text.count, by: 2) {
            guard let high = UUIDText.value(ofDigit: text[index]), let low = UUIDText.value(ofDigit: text[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> Wrapped?? { Wrapped.decode(cell).map { .some($0) } }
    package static func decodeNull() -> Wrapped?? { .some(.none) }
}

extension Array: PostgresDecodable where Element: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> [Element]? { Element.decodeArray(cell) }
}
