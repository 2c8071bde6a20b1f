// A strict single-pass JSON parser.
import Localization

/// Rejects invalid UTF-8, deep nesting, NUL, lone surrogates, duplicate members, whole numbers of more than 64 bits, and
/// other numbers beyond the range of Double. The nesting limit also bounds the stack usage.
struct JSONParser {
    private let bytes: [UInt8]
    private let maxDepth: Int
    /// Whether whole numbers of more than 64 bits are read: PostgreSQL prints all digits of a Double.
    private let isStored: Bool
    private var at = 0
    private var depth = 0

    /// An error, with the pointer from the current value to its position.
    private struct Fault: Error {
        let code: String
        let message: String
        var pointer = ""
        var hasPosition = false
    }

    static func parse(_ bytes: [UInt8], maxDepth: Int, isStored: Bool = false) throws(Failure) -> JSONValue {
        // Combining all bytes shows at once whether any is beyond ASCII.
        guard bytes.reduce(0, |) < 0x80 || String(validating: bytes, as: UTF8.self) != nil else {
            throw .invalid(FieldErrors("", "encoding", tr("This is not valid UTF-8.")))
        }
        var parser = JSONParser(bytes: bytes, maxDepth: maxDepth, isStored: isStored)
        do throws(Fault) {
            let value = try parser.value()
            parser.skipSpace()
            if parser.at < bytes.count { throw parser.unexpected() }
            return value
        } catch {
            throw .invalid(FieldErrors(error.pointer, error.code, error.message))
        }
    }

    private init(bytes: [UInt8], maxDepth: Int, isStored: Bool) {
        self.bytes = bytes
        self.maxDepth = maxDepth
        self.isStored = isStored
        // A byte order mark is ignored (RFC 8259, 8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    }

    // MARK: Values

    private mutating func value() throws(Fault) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try nested { (parser) throws(Fault) in try parser.members() })
        case UInt8(ascii: "["): return .array(try nested { (parser) throws(Fault) in try parser.elements() })
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func nested<Value>(_ read: (inout JSONParser) throws(Fault) -> Value) throws(Fault) -> Value {
        guard depth < maxDepth else {
            throw Fault(code: "too_deep", message: tr("Nested deeper than \(maxDepth) levels."), hasPosition: true)
        }
        depth += 1
        at += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    private mutating func members() throws(Fault) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw unexpected() }
            let name = try string()
            guard take(UInt8(ascii: ":")) else { throw unexpected() }
            let isSecond = members.updateValue(try value(below: { FieldErrors.step(name) }), forKey: name) != nil
            if isSecond {
                throw Fault(
                    code: "duplicate_key", message: tr("An object has the same member twice."),
                    pointer: FieldErrors.step(name), hasPosition: true)
            }
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw unexpected() }
        return members
    }

    private mutating func elements() throws(Fault) -> [JSONValue] {
        var values: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return values }
        repeat {
            values.append(try value(below: { "/\(values.count)" }))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw unexpected() }
        return values
    }

    private mutating func value(below step: () -> String) throws(Fault) -> JSONValue {
        do throws(Fault) {
            return try value()
        } catch {
            var fault = error
            if fault.hasPosition { fault.pointer = step() + fault.pointer }
            throw fault
        }
    }

    private mutating func literal(_ literal: StaticString, _ value: JSONValue) throws(Fault) -> JSONValue {
        for index in 0..<literal.utf8CodeUnitCount {
            guard next == literal.utf8Start[index] else { throw unexpected() }
            at += 1
        }
        return value
    }

    /// Returns an integer if the number is one.
    private mutating func number() throws(Fault) -> JSONValue {
        let start = at
        _ = skip(UInt8(ascii: "-"))
        // Leading zeros are not allowed.
        if !skip(UInt8(ascii: "0")) { try digits() }
        var isWhole = true
        if skip(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isWhole = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if isWhole, let number = Int64(text) { return .int(number) }
        if isWhole, !isStored {
            // A Double would silently become another number.
            throw Fault(
                code: "too_large", message: tr("This whole number has more than 64 bits. Send it as a string."),
                hasPosition: true)
        }
        guard let number = Double(text), number.isFinite else {
            throw Fault(code: "format", message: tr("This number is too large."), hasPosition: true)
        }
        return .number(number)
    }

    private mutating func digits() throws(Fault) {
        guard let first = next, (0x30...0x39).contains(first) else { throw unexpected() }
        while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
    }

    // MARK: Strings

    private mutating func string() throws(Fault) -> String {
        at += 1
        var start = at
        var decoded: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let rest = bytes[start..<at]
                at += 1
                if decoded.isEmpty { return String(decoding: rest, as: UTF8.self) }
                return String(decoding: decoded + rest, as: UTF8.self)
            case UInt8(ascii: "\\"):
                decoded += bytes[start..<at]
                at += 1
                decoded.append(contentsOf: String(try escaped()).utf8)
                start = at
            case 0..<0x20: throw unexpected()
            default: at += 1
            }
        }
        throw unexpected()
    }

    private mutating func escaped() throws(Fault) -> Unicode.Scalar {
        guard let kind = next else { throw unexpected() }
        let scalar: Unicode.Scalar
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = Unicode.Scalar(kind)
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"): return try escapedUnits()
        default: throw unexpected()
        }
        at += 1
        return scalar
    }

    /// One `uXXXX`, or two for a character outside the basic multilingual plane.
    private mutating func escapedUnits() throws(Fault) -> Unicode.Scalar {
        let first = try unit()
        if first == 0 { throw nul() }
        if let scalar = Unicode.Scalar(first) { return scalar }
        let half = Fault(
            code: "surrogate", message: tr("Half of a surrogate pair at byte \(at)."), hasPosition: true)
        guard (0xD800...0xDBFF).contains(first), skip(UInt8(ascii: "\\")), next == UInt8(ascii: "u") else { throw half }
        let second = try unit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw half }
        return scalar
    }

    private mutating func unit() throws(Fault) -> UInt16 {
        at += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else { throw unexpected() }
            unit = unit << 4 | UInt16(digit)
            at += 1
        }
        return unit
    }

    // MARK: Bytes

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        at += 1
        return true
    }

    /// Skips white space, then consumes `byte` if it is next.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        return skip(byte)
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { at += 1 }
    }

    private func unexpected() -> Fault {
        guard let byte = next else {
            return Fault(code: "format", message: tr("Invalid JSON: unexpected end of input."))
        }
        return byte == 0 ? nul() : Fault(code: "format", message: tr("Invalid JSON at byte \(at + 1)."))
    }

    private func nul() -> Fault {
        Fault(code: "control_characters", message: tr("A NUL character at byte \(at + 1)."), hasPosition: true)
    }
}
