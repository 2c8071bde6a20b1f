// Parses the configuration file: nested JSON objects of scalar values, each with its line number.
import FoundationEssentials

/// `{"listen": {"port": 8080}}` gives `listen.port` = 8080 on line 1. Lists are rejected.
struct ConfigurationFile {
    enum Value: Equatable {
        case text(String)
        /// As written: `8080`, `1.5`.
        case number(String)
        case flag(Bool)
        case null
    }

    struct Entry: Equatable {
        let key: String
        let value: Value
        /// Counted from 1.
        let line: Int
    }

    struct SyntaxError: Error, Equatable {
        let line: Int
        let message: String
    }

    private static let maxDepth = 8

    private(set) var entries: [Entry] = []
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ text: some Sequence<UInt8>) throws(SyntaxError) {
        bytes = Array(text)
        // A byte order mark, which editors write unseen.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipBlanks()
        try readObject(prefix: "", depth: 1)
        skipBlanks()
        if position < bytes.count { throw error("unexpected text after the closing \"}\"") }
    }

    private mutating func readObject(prefix: String, depth: Int) throws(SyntaxError) {
        guard depth <= ConfigurationFile.maxDepth else { throw error("objects are nested too deeply") }
        try expect("{", "expected \"{\"")
        skipBlanks()
        if take("}") { return }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw error("expected a name in double quotes") }
            let keyLine = line
            let key = prefix + (try readText())
            skipBlanks()
            try expect(":", "\"\(key)\" must be followed by \":\"")
            skipBlanks()
            if next == UInt8(ascii: "{") {
                try readObject(prefix: key + ".", depth: depth + 1)
            } else {
                guard !entries.contains(where: { $0.key == key }) else {
                    throw SyntaxError(line: keyLine, message: "\(key) is given twice")
                }
                entries.append(Entry(key: key, value: try readValue(of: key), line: keyLine))
            }
            skipBlanks()
        } while take(",")
        try expect("}", "expected \",\" or \"}\"")
    }

    private mutating func readValue(of key: String) throws(SyntaxError) -> Value {
        if next == UInt8(ascii: "\"") { return .text(try readText()) }
        if next == UInt8(ascii: "[") { throw error("\(key) cannot be a list") }
        let start = position
        while let byte = next, isWordByte(byte) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        switch word {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "null": return .null
        case _ where Double(word)?.isFinite ?? false: return .number(word)
        case "": throw error("\(key) has no value")
        default: throw error("\"\(word)\" isn't a value; put text in double quotes")
        }
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    /// The text in double quotes. The JSON decoder handles its escapes.
    private mutating func readText() throws(SyntaxError) -> String {
        let start = position
        position += 1
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\n") {
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard next == UInt8(ascii: "\"") else { throw error("missing closing double quote") }
        position += 1
        guard let text = try? JSONDecoder().decode(String.self, from: Data(bytes[start..<position])) else {
            throw error("invalid escape or character in a JSON string")
        }
        return text
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d {
            if byte == 0x0a { line += 1 }
            position += 1
        }
    }

    private var next: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar, _ message: String) throws(SyntaxError) {
        if !take(character) { throw error(message) }
    }

    private func error(_ message: String) -> SyntaxError {
        SyntaxError(line: line, message: message)
    }
}
