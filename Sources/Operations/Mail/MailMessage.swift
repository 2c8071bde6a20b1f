// Formats a mail: RFC 5322 headers with encoded words (RFC 2047), a plain-text UTF-8 body, CRLF line endings.
import Domain
import FoundationEssentials
import Platform

struct MailMessage {
    let id: ID<Mail>
    let from: String
    let fromName: String
    let recipient: String
    let subject: String
    let body: String
    let date: Date

    /// Of a line with encoded words (RFC 2047), and of a quoted-printable body (RFC 2045).
    private static let maxLine = 76
    /// The bytes of an encoded word: 52 characters of base64, 12 of `=?UTF-8?B?` and `?=`, and the name of a header before.
    private static let maxWord = 39

    /// Derived from the row's id, so that a mail sent twice is recognizable.
    var messageID: String { "<\(id)@\(from.split(separator: "@").last ?? "localhost")>" }

    var bytes: [UInt8] {
        let name = Self.encodedWords(fromName)
        // On a line of its own where the line of the name would be too long.
        let space = "From: \(name) <\(from)>".utf8.count <= Self.maxLine ? " " : "\r\n "
        let headers = [
            ("Date", Self.rfc5322(date)),
            ("From", "\(name)\(space)<\(from)>"),
            ("To", "<\(recipient)>"),
            ("Subject", Self.encodedWords(subject)),
            ("Message-ID", messageID),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "quoted-printable"),
            // No out-of-office answers (RFC 3834).
            ("Auto-Submitted", "auto-generated"),
        ]
        let head = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return Array((head + "\r\n" + Self.quotedPrintable(body) + "\r\n").utf8)
    }

    /// The text as encoded words of at most 64 characters, one per line. Always encoded, so that no line ending or email
    /// address in the text can inject a header (S6).
    static func encodedWords(_ text: String) -> String {
        var words: [String] = []
        var piece: [UInt8] = []
        for character in text {
            let bytes = Array(String(character).utf8)
            // A letter with many marks is longer than a word.
            let parts = bytes.count <= maxWord ? [bytes] : character.unicodeScalars.map { Array(String($0).utf8) }
            for part in parts {
                if piece.count + part.count > maxWord {
                    words.append(encoded(piece))
                    piece = []
                }
                piece += part
            }
        }
        if !piece.isEmpty { words.append(encoded(piece)) }
        return words.joined(separator: "\r\n ")
    }

    private static func encoded(_ bytes: [UInt8]) -> String { "=?UTF-8?B?\(Base64.encode(bytes))?=" }

    /// RFC 2045: lines of at most 76 characters; every byte that a relay could alter is written as `=XX`.
    static func quotedPrintable(_ text: String) -> String {
        let unified = PlainText.withLineFeeds(text)
        return unified.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(quotedLine)
            .joined(separator: "\r\n")
    }

    private static func quotedLine(_ line: Substring.UTF8View) -> String {
        var lines: [String] = []
        var current = ""
        for (index, byte) in zip(line.indices, line) {
            let isLast = line.index(after: index) == line.endIndex
            let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") || byte == 0x20 && !isLast
            let piece = isPlain ? String(UnicodeScalar(byte)) : "=" + Self.hex(byte)
            if current.utf8.count + piece.utf8.count > (isLast ? maxLine : maxLine - 1) {
                lines.append(current + "=")
                current = ""
            }
            current += piece
        }
        return (lines + [current]).joined(separator: "\r\n")
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF")
        return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }

    /// `Fri, 20 Nov 2026 09:00:00 +0000`.
    private static func rfc5322(_ date: Date) -> String {
        String(HTTPDate.text(date).dropLast(3)) + "+0000"
    }
}
