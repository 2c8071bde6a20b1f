// Writes text so that an HTML parser reads back exactly that text, in an element or in a quoted attribute.

package enum HTMLEscape {
    /// For the content of an element, `title` and `textarea` included.
    package static func text(_ text: String) -> String {
        escaped(text, inAttribute: false)
    }

    /// For an attribute value in double or single quotes.
    package static func attribute(_ text: String) -> String {
        escaped(text, inAttribute: true)
    }

    static func append(_ text: String, inAttribute: Bool, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes in
            var copied = 0
            for (index, byte) in bytes.enumerated() {
                guard let replacement = replacement(of: byte, inAttribute: inAttribute) else { continue }
                output.append(contentsOf: bytes[copied..<index])
                output.append(contentsOf: replacement.utf8)
                copied = index + 1
            }
            output.append(contentsOf: bytes[copied...])
        }
    }

    private static func escaped(_ text: String, inAttribute: Bool) -> String {
        var output: [UInt8] = []
        append(text, inAttribute: inAttribute, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// A parser folds a bare carriage return into a line feed and loses a NUL, which has no reference of its own.
    private static func replacement(of byte: UInt8, inAttribute: Bool) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): inAttribute ? "&quot;" : nil
        case UInt8(ascii: "'"): inAttribute ? "&#39;" : nil
        case UInt8(ascii: "\r"): "&#13;"
        case 0: "\u{FFFD}"
        default: nil
        }
    }
}
