// Escapes text for HTML elements and quoted attributes so that a parser returns exactly the same text.

package enum HTMLEscape {
    /// For element content, including `title` and `textarea`.
    package static func text(_ text: String) -> String {
        escaped(text, inAttribute: false)
    }

    /// For an attribute value in double or single quotes.
    package static func attribute(_ text: String) -> String {
        escaped(text, inAttribute: true)
    }

    /// The text of an attribute value that `attribute` escaped.
    static func unescaped(_ value: Substring) -> String {
        guard value.contains("&") else { return String(value) }
        return String(value).replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing(
            "&#13;", with: "\r"
        )
        .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
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

    /// A parser converts a bare carriage return to a line feed and drops NUL, which has no character reference.
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
