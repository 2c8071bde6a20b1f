// The text form of one-dimensional PostgreSQL arrays: {"a","b",NULL}.

enum ArrayLiteral {
    /// Every element is quoted, so that commas, braces, blanks and the word NULL mean themselves.
    static func text(of elements: [Bind]) -> String {
        var text: [UInt8] = [UInt8(ascii: "{")]
        for element in elements {
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            switch element {
            case .null: text.append(contentsOf: "NULL".utf8)
            case .text(let string): appendQuoted(string, to: &text)
            case .binary(let bytes): appendQuoted(hexadecimal(bytes), to: &text)
            }
        }
        text.append(UInt8(ascii: "}"))
        return String(decoding: text, as: UTF8.self)
    }

    private static func appendQuoted(_ element: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var element = element
        element.withUTF8 { bytes in
            var copied = 0
            for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                text.append(contentsOf: bytes[copied..<index])
                text.append(UInt8(ascii: "\\"))
                copied = index
            }
            text.append(contentsOf: bytes[copied...])
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "\\x" + String(decoding: text, as: UTF8.self)
    }

    /// Hands each element to `take` (nil for NULL); false when the text is not a one-dimensional array or `take`
    /// refuses an element.
    static func read(_ text: UnsafeBufferPointer<UInt8>, _ take: (UnsafeBufferPointer<UInt8>?) -> Bool) -> Bool {
        guard text.count >= 2, text[0] == UInt8(ascii: "{"), text[text.count - 1] == UInt8(ascii: "}") else {
            return false
        }
        var position = 1
        let end = text.count - 1
        var element: [UInt8] = []
        while position < end {
            element.removeAll(keepingCapacity: true)
            let isQuoted = text[position] == UInt8(ascii: "\"")
            guard
                let next = isQuoted
                    ? readQuoted(text, from: position + 1, end, into: &element)
                    : readPlain(text, from: position, end, into: &element)
            else { return false }
            let isNull = !isQuoted && element.elementsEqual("NULL".utf8)
            guard element.withUnsafeBufferPointer({ take(isNull ? nil : $0) }) else { return false }
            position = next
            if position == end { return true }
            guard text[position] == UInt8(ascii: ",") else { return false }
            position += 1
        }
        return end == 1
    }

    private static func readQuoted(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ end: Int, into element: inout [UInt8]
    ) -> Int? {
        var position = start
        while position < end {
            switch text[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"):
                position += 1
                guard position < end else { return nil }
                element.append(text[position])
            default: element.append(text[position])
            }
            position += 1
        }
        return nil
    }

    private static func readPlain(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ end: Int, into element: inout [UInt8]
    ) -> Int? {
        var position = start
        while position < end, text[position] != UInt8(ascii: ",") {
            // A brace here would be a second dimension.
            if text[position] == UInt8(ascii: "{") { return nil }
            element.append(text[position])
            position += 1
        }
        return position == start ? nil : position
    }
}
