// Splits a file into code, string literals and comments; each part keeps the line numbers of the file.

struct SourceText {
    enum Syntax {
        case swift
        /// Multi-line strings contain SQL and count as code.
        case swiftWithSQL
        case sql
        /// `{{…}}` is code, except for the quoted texts of arguments; everything else is text.
        case template
        /// All of it is text; what is in backticks is code, too.
        case document
    }

    let path: String
    let code: [UInt8]
    let strings: [UInt8]
    let comments: [UInt8]

    init(_ file: SourceFile, _ syntax: Syntax) {
        var splitter = Splitter(Array(file.text.utf8))
        switch syntax {
        case .swift: splitter.swift(sql: false)
        case .swiftWithSQL: splitter.swift(sql: true)
        case .sql: splitter.sql()
        case .template: splitter.template()
        case .document: splitter.document()
        }
        path = file.path
        code = splitter.code
        strings = splitter.strings
        comments = splitter.comments
    }
}

private struct Splitter {
    enum Part { case code, string, comment }

    let bytes: [UInt8]
    var at = 0
    var code: [UInt8] = []
    var strings: [UInt8] = []
    var comments: [UInt8] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        code.reserveCapacity(bytes.count)
    }

    private mutating func put(_ byte: UInt8, _ part: Part) {
        if byte == UInt8(ascii: "\n") {
            code.append(byte)
            strings.append(byte)
            comments.append(byte)
            return
        }
        switch part {
        case .code: code.append(byte)
        case .string: strings.append(byte)
        case .comment: comments.append(byte)
        }
    }

    private mutating func take(_ count: Int, _ part: Part) {
        for byte in bytes[at..<min(at + count, bytes.count)] { put(byte, part) }
        at += count
    }

    private func sees(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard at + count <= bytes.count else { return false }
        return (0..<count).allSatisfy { bytes[at + $0] == text.utf8Start[$0] }
    }

    private mutating func comment(until end: StaticString) {
        while at < bytes.count, !sees(end) { take(1, .comment) }
    }

    // MARK: Swift

    /// Reads code up to the end, or to the `)` that closes an interpolation.
    mutating func swift(sql: Bool, isInterpolation: Bool = false) {
        var depth = 0
        while at < bytes.count {
            if sees("//") {
                comment(until: "\n")
            } else if sees("/*") {
                comment(until: "*/")
                take(2, .comment)
            } else if let hashes = stringStart() {
                swiftString(hashes: hashes, sql: sql)
            } else {
                if isInterpolation, sees("(") { depth += 1 }
                if isInterpolation, sees(")") {
                    if depth == 0 { return }
                    depth -= 1
                }
                take(1, .code)
            }
        }
    }

    /// How many `#` precede a quotation mark here; nil where no string begins.
    private func stringStart() -> Int? {
        var hashes = 0
        while at + hashes < bytes.count, bytes[at + hashes] == UInt8(ascii: "#") { hashes += 1 }
        return at + hashes < bytes.count && bytes[at + hashes] == UInt8(ascii: "\"") ? hashes : nil
    }

    private mutating func swiftString(hashes: Int, sql: Bool) {
        at += hashes
        let isMultiline = sees("\"\"\"")
        at += isMultiline ? 3 : 1
        put(UInt8(ascii: "\t"), .string)
        var isQuoted = false
        while at < bytes.count {
            let part: Part = sql && isMultiline && !isQuoted ? .code : .string
            if sees("\""), closes(hashes: hashes, quotes: isMultiline ? 3 : 1) {
                at += (isMultiline ? 3 : 1) + hashes
                put(UInt8(ascii: "\t"), .string)
                put(UInt8(ascii: " "), .code)
                return
            }
            if sees("\\"), escapes(hashes) {
                at += 1 + hashes
                if sees("(") {
                    // What is filled in is code; the text keeps a mark for it.
                    at += 1
                    for byte in "…".utf8 { put(byte, .string) }
                    put(UInt8(ascii: " "), .code)
                    swift(sql: sql, isInterpolation: true)
                    put(UInt8(ascii: " "), .code)
                    at += 1
                } else {
                    put(sees("n") || sees("t") || sees("r") ? UInt8(ascii: " ") : bytes[at], part)
                    at += 1
                }
                continue
            }
            if sql, isMultiline, sees("'") { isQuoted.toggle() }
            take(1, part)
        }
    }

    private func closes(hashes: Int, quotes: Int) -> Bool {
        let end = at + quotes + hashes
        guard end <= bytes.count else { return false }
        return bytes[at..<at + quotes].allSatisfy { $0 == UInt8(ascii: "\"") }
            && bytes[at + quotes..<end].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    private func escapes(_ hashes: Int) -> Bool {
        at + 1 + hashes < bytes.count && bytes[at + 1..<at + 1 + hashes].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    // MARK: Others

    mutating func sql() {
        var isQuoted = false
        while at < bytes.count {
            if !isQuoted, sees("--") {
                comment(until: "\n")
            } else if sees("'") {
                isQuoted.toggle()
                at += 1
                put(UInt8(ascii: "\t"), .string)
                put(UInt8(ascii: " "), .code)
            } else {
                take(1, isQuoted ? .string : .code)
            }
        }
    }

    mutating func template() {
        while at < bytes.count {
            if sees("<!--") {
                comment(until: "-->")
            } else if sees("{{") {
                for byte in "…".utf8 { put(byte, .string) }
                var isQuoted = false
                while at < bytes.count, !sees("}}") {
                    if sees("\"") { isQuoted.toggle() }
                    take(1, isQuoted ? .string : .code)
                }
                take(2, .code)
            } else {
                take(1, .string)
            }
        }
    }

    mutating func document() {
        var isCode = false
        for byte in bytes {
            if byte == UInt8(ascii: "`") { isCode.toggle() }
            if isCode, byte != UInt8(ascii: "\n") { code.append(byte == UInt8(ascii: "`") ? UInt8(ascii: " ") : byte) }
            put(byte, .string)
        }
    }
}
