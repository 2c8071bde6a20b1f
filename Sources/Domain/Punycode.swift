// The ASCII form of a label of an internationalized domain name (RFC 3492).

enum Punycode {
    private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)

    /// The characters of a label without its prefix `xn--`; nil if it is no such form.
    static func decode(_ text: Substring) -> [Unicode.Scalar]? {
        let parts = text.lastIndex(of: "-").map { (text[..<$0], text[text.index(after: $0)...]) } ?? ("", text)
        var decoded = Array(parts.0.unicodeScalars)
        var (code, index, bias) = (128, 0, 72)
        var digits = parts.1.utf8.makeIterator()
        while let first = digits.next() {
            let start = index
            var (weight, k) = (1, base)
            var next: UInt8? = first
            while true {
                guard let digit = next.flatMap(value(of:)), index < 1 << 30, weight < 1 << 30 else { return nil }
                index += digit * weight
                let threshold = min(max(k - bias, tMin), tMax)
                if digit < threshold { break }
                weight *= base - threshold
                k += base
                next = digits.next()
            }
            let count = decoded.count + 1
            bias = adapted(index - start, count, isFirst: start == 0)
            code += index / count
            index %= count
            guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
            decoded.insert(scalar, at: index)
            index += 1
        }
        return decoded
    }

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var k = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * delta / (delta + skew)
    }
}
