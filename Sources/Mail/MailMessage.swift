// A mail as it travels: RFC 5322 with encoded words (RFC 2047) and a plain text in UTF-8, lines ended by CRLF.
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

    /// The id of the row: a message that is sent again is recognized by it.
    var messageID: String { "<\(id)@\(from.split(separator: "@").last ?? "localhost")>" }

    var bytes: [UInt8] {
        let headers = [
            ("Date", Self.rfc5322(date)),
            ("From", "\(Self.words(fromName)) <\(from)>"),
            ("To", "<\(recipient)>"),
            ("Subject", Self.words(subject)),
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

    /// The text as encoded words of at most 75 characters, one a line. Always encoded: whatever the text holds, no line
    /// end and no address of it reaches a header (S6).
    static func words(_ text: String) -> String {
        var words: [String] = []
        var piece: [UInt8] = []
        for character in text {
            let bytes = Array(String(character).utf8)
            // 45 bytes are 60 characters of base64, and 12 more of frame.
            if piece.count + bytes.count > 45, !piece.isEmpty {
                words.append(encoded(piece))
                piece = []
            }
            piece += bytes
        }
        if !piece.isEmpty { words.append(encoded(piece)) }
        return words.joined(separator: "\r\n ")
    }

    private static func encoded(_ bytes: [UInt8]) -> String { "=?UTF-8?B?\(Base64.encode(bytes))?=" }

    /// RFC 2045: lines of at most 76 characters, everything that could be changed on the way written as `=XX`.
    static func quotedPrintable(_ text: String) -> String {
        let unified = text.replacing("\r\n", with: "\n")
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
            if current.utf8.count + piece.utf8.count > (isLast ? 76 : 75) {
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
