// One numbered step of the schema.

package struct Migration: Sendable, Equatable {
    /// The first line of a file that must not run inside a transaction, say for CREATE INDEX CONCURRENTLY.
    package static let noTransactionMark = "-- vitrine: no transaction"

    package let name: String
    package let text: String
    /// Whether the whole text runs in one transaction. If not, each statement commits separately, and the
    /// text must be safe to run again from its start.
    package let transactional: Bool

    package init(name: String, text: String, transactional: Bool) {
        self.name = name
        self.text = text
        self.transactional = transactional
    }

    /// Reads the mark on the first line.
    package init(name: String, text: String) {
        let firstLine = text.prefix { $0 != "\n" && $0 != "\r\n" }
        self.init(name: name, text: text, transactional: firstLine != Migration.noTransactionMark)
    }

    /// A 64-bit FNV-1a hash of the text in 16 hexadecimal digits: detects accidental edits, not attacks.
    package var checksum: String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
