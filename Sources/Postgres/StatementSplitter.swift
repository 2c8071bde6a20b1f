// Splits a text into its SQL statements, to run outside a shared transaction.

/// Knows quoted strings and names, dollar quotes and comments; not the bodies of BEGIN ATOMIC functions.
struct StatementSplitter {
    private let text: [UInt8]
    private var position = 0

    private init(_ text: String) {
        self.text = Array(text.utf8)
    }

    /// The statements of `text` without their semicolons; those of comments and blanks alone are left out.
    static func statements(of text: String) -> [String] {
        var splitter = StatementSplitter(text)
        var statements: [String] = []
        while splitter.position < splitter.text.count {
            if let statement = splitter.next() { statements.append(statement) }
        }
        return statements
    }

    /// Moves past the next semicolon; nil when nothing but comments and blanks stands before it.
    private mutating func next() -> String? {
        let start = position
        var hasContent = false
        while position < text.count {
            let byte = text[position]
            switch byte {
            case UInt8(ascii: ";"):
                defer { position += 1 }
                return hasContent ? String(decoding: text[start..<position], as: UTF8.self) : nil
            case UInt8(ascii: "-") where follows("--"): skipLine()
            case UInt8(ascii: "/") where follows("/*"): skipComment()
            case UInt8(ascii: "'"):
                hasContent = true
                skipQuoted(byte, escapes: isEscapeString)
            case UInt8(ascii: "\""):
                hasContent = true
                skipQuoted(byte, escapes: false)
            case UInt8(ascii: "$"):
                hasContent = true
                skipDollarQuoted()
            default:
                if byte > UInt8(ascii: " ") { hasContent = true }
                position += 1
            }
        }
        return hasContent ? String(decoding: text[start...], as: UTF8.self) : nil
    }

    private func follows(_ token: String) -> Bool {
        text[position...].starts(with: token.utf8)
    }

    private mutating func skipLine() {
        while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
    }

    /// Comments nest.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if follows("/*") {
                depth += 1
                position += 2
            } else if follows("*/") {
                depth -= 1
                position += 2
            } else {
                position += 1
            }
        } while depth > 0 && position < text.count
    }

    /// Whether the quote here begins an E'...' string, in which a backslash takes the next character along.
    private var isEscapeString: Bool {
        guard position > 0, text[position - 1] | 0x20 == UInt8(ascii: "e") else { return false }
        return position == 1 || !isNamePart(text[position - 2])
    }

    private mutating func skipQuoted(_ quote: UInt8, escapes: Bool) {
        position += 1
        while position < text.count, text[position] != quote {
            position += escapes && text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        // A doubled quote inside ends one string and begins another, which comes to the same.
        position = min(position + 1, text.count)
    }

    private mutating func skipDollarQuoted() {
        let start = position
        position += 1
        // A dollar sign inside a name, or a parameter such as $1, quotes nothing.
        if start > 0, isNamePart(text[start - 1]) { return }
        while position < text.count, isNamePart(text[position]) { position += 1 }
        guard position < text.count, text[position] == UInt8(ascii: "$") else { return }
        position += 1
        let tag = text[start..<position]
        while position < text.count, !text[position...].starts(with: tag) { position += 1 }
        position = min(position + tag.count, text.count)
    }

    private func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
