// One row of Tests/banned_words.tsv: a pattern, where it must not occur, and what to write instead.
import Glibc

struct BannedWord {
    enum Scope: String, CaseIterable {
        /// Text that people read: templates, string literals, configuration, documents.
        case copy
        /// Copy and the comments of the code.
        case text
        /// Names in Swift, SQL, templates and the code parts of documents.
        case identifier
        /// `noun.verb` of audit events.
        case auditAction = "audit action"
    }

    struct Match {
        /// From 1.
        let line: Int
        let text: String
    }

    let pattern: String
    let scope: Scope
    let replacement: String
    let reason: String
    private let regex: Regex<AnyRegexOutput>
    /// The longest part of the pattern that every match contains, with a NUL; searched before the pattern is tried.
    let literal: [UInt8]
    let ignoresCase: Bool

    /// Nil when the row is not a pattern, a scope and texts.
    init?(_ line: Substring) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard columns.count == 4, let scope = Scope(rawValue: columns[1]), let regex = try? Regex(columns[0]),
            !columns[2].isEmpty, !columns[3].isEmpty
        else { return nil }
        pattern = columns[0]
        self.scope = scope
        replacement = columns[2]
        reason = columns[3]
        self.regex = regex.wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar)
        ignoresCase = pattern.hasPrefix("(?i)")
        literal = Self.literal(pattern[...], ignoresCase: ignoresCase)
    }

    /// The rows; nil for one that is none. Patterns are not Sendable, so every test reads its own.
    static func rows() -> [BannedWord?] {
        SourceFile.file("Tests/banned_words.tsv")?.lines.dropFirst().filter { !$0.isEmpty }.map(BannedWord.init) ?? []
    }

    func matches(_ text: String) -> Bool { text.firstMatch(of: regex) != nil }

    /// The lines that match; `lowercased` is `bytes` in lowercase, and both end with a NUL.
    func matches(in bytes: [UInt8], lowercased: [UInt8]) -> [Match] {
        let searched = ignoresCase ? lowercased : bytes
        var matches: [Match] = []
        var at = 0
        var line = 1
        // The last line ends with the NUL: nothing may be searched after it.
        while at < searched.endIndex, let found = Self.find(literal, in: searched, from: at) {
            line += bytes[at..<found].count { $0 == UInt8(ascii: "\n") }
            let start = bytes[..<found].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let end = bytes[found...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            let text = String(decoding: bytes[start..<end], as: UTF8.self)
            if let match = text.firstMatch(of: regex) {
                matches.append(Match(line: line, text: String(text[match.range])))
            }
            at = end
        }
        return matches
    }

    private static func find(_ literal: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { text in
            literal.withUnsafeBufferPointer { part in
                text.withMemoryRebound(to: CChar.self) { text in
                    part.withMemoryRebound(to: CChar.self) { part in
                        guard let base = text.baseAddress, let first = part.baseAddress,
                            let found = strstr(base + start, first)
                        else { return nil }
                        return UnsafePointer(found) - base
                    }
                }
            }
        }
    }

    /// The longest run of plain characters outside groups and classes; a run loses what `?` or `*` makes optional.
    private static func literal(_ pattern: Substring, ignoresCase: Bool) -> [UInt8] {
        var runs: [[UInt8]] = [[]]
        var depth = 0
        var isEscaped = false
        for byte in pattern.utf8 {
            let isPlain =
                byte == UInt8(ascii: " ") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ",") || byte >= 0x80
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            if isEscaped {
                isEscaped = false
                // `\.` is a dot; `\b` and `\w` are not letters.
                if byte == UInt8(ascii: "."), depth == 0 { runs[runs.count - 1].append(byte) } else { runs.append([]) }
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if "([".utf8.contains(byte) {
                depth += 1
                runs.append([])
            } else if ")]".utf8.contains(byte) {
                depth -= 1
                runs.append([])
            } else if depth == 0 {
                if isPlain {
                    runs[runs.count - 1].append(byte)
                } else {
                    if "?*".utf8.contains(byte) { _ = runs[runs.count - 1].popLast() }
                    runs.append([])
                }
            }
        }
        let longest = runs.max { $0.count < $1.count } ?? []
        return (ignoresCase ? longest.map(lowercase) : longest) + [0]
    }

    static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
