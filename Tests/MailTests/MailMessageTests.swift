// Tests the format of mails: headers that can't be injected, text in UTF-8, lines of valid length.
import Domain
import Foundation
import Platform
import Testing
@testable import Operations

@Suite("Mail messages")
struct MailMessageTests {
    private func message(subject: String, body: String, name: String = "Vitrine") -> MailMessage {
        MailMessage(
            id: ID<Domain.Mail>(UUIDv7.make()), from: "no-reply@example.org", fromName: name,
            recipient: "ann@example.org", subject: subject, body: body, date: Date(timeIntervalSince1970: 1_795_165_200)
        )
    }

    private func text(_ message: MailMessage) -> String { String(decoding: message.bytes, as: UTF8.self) }

    private func headers(_ message: MailMessage) -> [String] {
        (text(message).components(separatedBy: "\r\n\r\n").first ?? "").components(separatedBy: "\r\n")
    }

    @Test(
        "S6: no subject or name can add a header or a recipient",
        arguments: ["a\r\nBcc: evil@example.org", "a\nX: y", "a\u{0}b", "a\r\n\r\nbody", "\u{2028}Bcc: x", "Grüße 🎉"])
    func injection(words: String) {
        let plain = headers(message(subject: "x", body: "y")).filter { !$0.hasPrefix(" ") }.count
        let lines = headers(message(subject: words, body: "y", name: words))
        #expect(lines.filter { !$0.hasPrefix(" ") }.count == plain)
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
        #expect(!lines.contains { $0.lowercased().hasPrefix("bcc") })
    }

    @Test(
        "A long subject becomes encoded words of at most 75 characters, without splitting a character that fits into one",
        arguments: [
            String(repeating: "Grüße aus Łódź 🎉 ", count: 12), "e" + String(repeating: "\u{301}", count: 200),
            String(repeating: "👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿", count: 10),
        ])
    func longSubject(subject: String) throws {
        let words = MailMessage.encodedWords(subject).components(separatedBy: "\r\n ")
        #expect(words.count > 5 && words.allSatisfy { $0.utf8.count <= 75 })
        let read = try words.map { word in
            let bytes = try #require(Base64.decode(String(word.dropFirst(10).dropLast(2))))
            return try #require(String(validating: bytes, as: UTF8.self))
        }
        #expect(read.joined() == subject)
    }

    @Test("A line with encoded words has at most 76 characters, with the name of its header and an address (RFC 2047)")
    func headerLines() {
        let long = String(repeating: "Grüße aus Łódź ", count: 9)
        for name in ["Vitrine", "Kähne und Fähren am Kanal", long] {
            let lines = headers(message(subject: long, body: "x", name: name)).filter { $0.contains("=?UTF-8?B?") }
            #expect(lines.count > 3 && lines.allSatisfy { $0.utf8.count <= 76 }, "\(lines)")
        }
    }

    @Test("A body keeps every character: lines of at most 76, with trailing spaces and = encoded")
    func quotedPrintable() {
        #expect(MailMessage.quotedPrintable("a=b") == "a=3Db")
        #expect(MailMessage.quotedPrintable("end \nnext\t") == "end=20\r\nnext=09")
        #expect(MailMessage.quotedPrintable("ü") == "=C3=BC")
        #expect(MailMessage.quotedPrintable(String(repeating: "x", count: 76)) == String(repeating: "x", count: 76))
        let long = MailMessage.quotedPrintable(String(repeating: "ü", count: 200)).components(separatedBy: "\r\n")
        #expect(long.count > 10 && long.allSatisfy { $0.utf8.count <= 76 })
        #expect(long.joined().replacingOccurrences(of: "==", with: "=") == String(repeating: "=C3=BC", count: 200))
    }

    @Test("The message id is derived from the row's id; the date follows RFC 5322")
    func identity() {
        let one = message(subject: "x", body: "y")
        let lines = headers(one)
        #expect(lines.contains("Message-ID: <\(one.id)@example.org>"))
        #expect(lines.contains("Date: Fri, 20 Nov 2026 09:00:00 +0000"))
        #expect(lines.contains("To: <ann@example.org>"))
    }

    @Test("A mail is retried with growing delays, and not after its last attempt")
    func retries() {
        let standard = RetrySchedule.mail
        let delays = (1...8).map { standard.delay(after: $0, chance: 0) }
        #expect(delays == [5, 20, 80, 320, 1280, 3600, 3600, 3600])
        #expect(standard.delay(after: 75, chance: 0) == 3600)
        #expect(standard.delay(after: 76, chance: 0) == nil)
        #expect(standard.delay(after: 1, chance: 1) == 5.5)
    }
}
