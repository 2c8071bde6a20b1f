// The header fields of a message: ordered, with names compared without regard to case.

/// Header fields in the order in which they came or were added. A message has few, so look-up is a walk.
package struct Headers: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    /// The value of the first field of that name.
    package subscript(name: String) -> String? {
        fields.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// The values of all fields of that name, in order.
    package func all(_ name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    package func contains(_ name: String) -> Bool { self[name] != nil }

    /// How many fields have that name.
    func count(_ name: String) -> Int {
        fields.reduce(0) { $1.name.equalsIgnoringCase(name) ? $0 + 1 : $0 }
    }

    /// Replaces all fields of that name by one.
    package mutating func set(_ name: String, _ value: String) {
        remove(name)
        append(name, value)
    }

    /// Adds a field beside those of the same name. CR, LF, NUL and other control bytes in the value become spaces,
    /// as RFC 9110 section 5.5 has it, so that no value can end its line. A name must be a token.
    package mutating func append(_ name: String, _ value: String) {
        precondition(name.isToken, "a header name must be a token")
        fields.append(Field(name: name, value: Headers.oneLine(value)))
    }

    package mutating func remove(_ name: String) {
        fields.removeAll { $0.name.equalsIgnoringCase(name) }
    }

    /// Makes room for so many fields in all.
    package mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

    /// Takes a field that was checked while it was read.
    mutating func appendReceived(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    private static func oneLine(_ value: String) -> String {
        func isControl(_ byte: UInt8) -> Bool { (byte < 0x20 && byte != 0x09) || byte == 0x7F }
        var value = value
        guard value.withUTF8({ $0.contains(where: isControl) }) else { return value }
        return String(decoding: value.utf8.map { isControl($0) ? 0x20 : $0 }, as: UTF8.self)
    }
}

extension String {
    /// Compares ASCII letters without regard to case and everything else byte by byte.
    func equalsIgnoringCase(_ other: String) -> Bool {
        let (mine, others) = (utf8, other.utf8)
        guard mine.count == others.count else { return false }
        // Names mostly come in the spelling of the standard.
        return self == other || mine.elementsEqual(others) { $0.lowercased == $1.lowercased }
    }

    /// Whether this is a token of RFC 9110: letters, digits and a few marks, at least one.
    var isToken: Bool {
        var text = self
        return text.withUTF8 { !$0.isEmpty && $0.allSatisfy(\.isTokenByte) }
    }
}

extension UInt8 {
    var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
