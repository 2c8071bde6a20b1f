// Reads numbers of tables, with a decimal point or a decimal comma.

package enum DecimalText {
    /// The number; a comma is a decimal separator, unless it may divide thousands, as in `1,234`. In a table with
    /// decimal commas, the same holds for a point.
    package static func number(_ text: String, hasDecimalCommas: Bool) -> Double? {
        guard let notation = DecimalNotation(Array(text.utf8)) else { return nil }
        let isAmbiguous = notation.mayDivideThousands && (notation.separator == .comma || hasDecimalCommas)
        return isAmbiguous ? nil : notation.value
    }

    /// The same for degrees, which have no thousands.
    package static func degrees(_ text: String) -> Double? {
        guard let notation = DecimalNotation(Array(text.utf8)) else { return nil }
        return notation.separator == .comma && notation.wholeDigits > 3 ? nil : notation.value
    }
}

/// A number in decimal notation, such as `-1.5`, `1,5` and `1.5e3`. Swift's own parser takes hexadecimal numbers, `nan`
/// and `inf`, too.
struct DecimalNotation {
    enum Separator {
        case point, comma

        init?(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "."): self = .point
            case UInt8(ascii: ","): self = .comma
            default: return nil
            }
        }
    }

    let value: Double
    /// Nil for a whole number.
    let separator: Separator?
    let wholeDigits: Int
    /// Whether the separator may divide thousands instead: three digits follow it, and one to three precede it.
    let mayDivideThousands: Bool

    /// Databases leave out a zero before the point: `.5`.
    init?(_ text: [UInt8]) {
        var rest = text[...]
        Self.skipSign(&rest)
        let whole = Self.takeDigits(&rest)
        var fraction: ArraySlice<UInt8> = []
        separator = rest.first.flatMap { Separator($0) }
        if separator != nil {
            rest.removeFirst()
            fraction = Self.takeDigits(&rest)
            if fraction.isEmpty { return nil }
        }
        if whole.isEmpty, separator != .point { return nil }
        let hasExponent = rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E")
        if hasExponent {
            rest.removeFirst()
            Self.skipSign(&rest)
            if Self.takeDigits(&rest).isEmpty { return nil }
        }
        let plain = text.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
        guard rest.isEmpty, let number = Double(String(decoding: plain, as: UTF8.self)), number.isFinite else {
            return nil
        }
        value = number
        wholeDigits = whole.count
        mayDivideThousands =
            !hasExponent && fraction.count == 3 && (1...3).contains(whole.count) && whole.first != UInt8(ascii: "0")
    }

    private static func skipSign(_ rest: inout ArraySlice<UInt8>) {
        if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    }

    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest.removeFirst(digits.count)
        return digits
    }
}
