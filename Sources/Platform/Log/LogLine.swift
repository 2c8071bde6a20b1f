// Formats one event as one log line, with escaping that prevents log injection.
import FoundationEssentials

struct LogLine {
    typealias Fields = [(name: String, value: LogValue)]

    /// Longer texts are truncated, so that a request can't fill the disk. In bytes of UTF-8.
    static let maximumText = 16_384

    /// Values of these fields are never logged.
    private static let hidden: Set<String> = [
        "authorization", "cookie", "password", "secret", "set_cookie", "token",
    ]

    private(set) var bytes: [UInt8] = []

    init(_ format: LogFormat, level: LogLevel, event: String, fields: Fields, date: Date) {
        bytes.reserveCapacity(256)
        switch format {
        case .text: writeText(level, event, fields, date)
        case .json: writeJSON(level, event, fields, date)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func writeText(_ level: LogLevel, _ event: String, _ fields: Fields, _ date: Date) {
        add(InstantText.text(date))
        add(" ")
        add(level.rawValue)
        add(" ")
        addEscaped(event)
        for (name, value) in fields {
            add(" ")
            addEscaped(name)
            add("=")
            add(shown(value, as: name), isQuoted: LogLine.needsQuotes)
        }
    }

    private mutating func writeJSON(_ level: LogLevel, _ event: String, _ fields: Fields, _ date: Date) {
        add("{\"time\":\"")
        add(InstantText.text(date))
        add("\",\"level\":\"")
        add(level.rawValue)
        add("\",\"event\":\"")
        addEscaped(event)
        add("\"")
        for (name, value) in fields {
            add(",\"")
            addEscaped(name)
            add("\":")
            add(shown(value, as: name), isQuoted: { _ in true })
        }
        add("}")
    }

    private func shown(_ value: LogValue, as name: String) -> LogValue {
        LogLine.hidden.contains(name.lowercased()) && value != .nothing ? .text("[secret]") : value
    }

    private mutating func add(_ value: LogValue, isQuoted: (String) -> Bool) {
        switch value {
        case .integer(let number): add(String(number))
        case .flag(let flag): add(flag ? "true" : "false")
        case .nothing: add("null")
        case .number(let number) where number.isFinite: add(String(number))
        case .number(let number): add(.text(String(number)), isQuoted: isQuoted)
        case .text(let text):
            let quote = isQuoted(text) ? "\"" : ""
            add(quote)
            addEscaped(text)
            add(quote)
        }
    }

    private mutating func add(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// In text lines, values are quoted only if they are empty or could be read as several fields.
    private static func needsQuotes(_ text: String) -> Bool {
        text.isEmpty || text.utf8.contains { $0 <= 0x20 || $0 == 0x22 || $0 == 0x3d || $0 == 0x5c || $0 >= 0x7f }
    }

    /// JSON escapes, in both formats, for characters that end a line, move the cursor or reorder text.
    private mutating func addEscaped(_ text: String) {
        // Fast path: nearly every text is plain ASCII, and checking each scalar is ten times slower.
        if text.utf8.count <= LogLine.maximumText, text.utf8.allSatisfy(LogLine.isPlain) {
            add(text)
            return
        }
        var written = 0
        for scalar in text.unicodeScalars {
            guard written < LogLine.maximumText else {
                add("...")
                return
            }
            written += UTF8.width(scalar)
            switch scalar {
            case "\"": add("\\\"")
            case "\\": add("\\\\")
            case "\n": add("\\n")
            case "\r": add("\\r")
            case "\t": add("\\t")
            case _ where LogLine.isUnsafe(scalar):
                for unit in String(scalar).utf16 {
                    add("\\u")
                    add(Hex.text([UInt8(unit >> 8), UInt8(unit & 0xff)]))
                }
            default: bytes.append(contentsOf: String(scalar).utf8)
            }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7e).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Controls (C0, DEL, C1), line and paragraph separators, bidirectional and other invisible formatting.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f, 0x2028, 0x2029: true
        case 0x20...0x7e: false
        default: scalar.properties.generalCategory == .format
        }
    }
}
