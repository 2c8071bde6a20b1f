// Represents recovery codes, which replace a lost second factor once each; only hashes are stored.

/// 80 random bits can't be guessed even from the hash, so a fast hash is enough.
package struct RecoveryCode: Sendable, CustomStringConvertible, CustomReflectable {
    /// The number of codes per account.
    package static let count = 10
    private static let length = 16

    private let digits: String

    package static func make() -> RecoveryCode { RecoveryCode(digits: Base32.encode(SecureRandom.bytes(10))) }

    private init(digits: String) {
        self.digits = digits
    }

    /// Parses typed text: ignores spaces, hyphens and case, and accepts 0 for O and 1 for I. Nil for the wrong length.
    package init?(text: String) {
        let digits = text.utf8.prefix(64).compactMap { byte -> String? in
            switch byte {
            case UInt8(ascii: "0"): "O"
            case UInt8(ascii: "1"): "I"
            case UInt8(ascii: " "), UInt8(ascii: "-"): nil
            default: String(UnicodeScalar(byte)).uppercased()
            }
        }.joined()
        guard digits.utf8.count == Self.length else { return nil }
        self.digits = digits
    }

    /// Displayed in groups of four.
    package var text: String {
        let digits = Array(digits.utf8)
        return stride(from: 0, to: digits.count, by: 4).map {
            String(decoding: digits[$0..<min($0 + 4, digits.count)], as: UTF8.self)
        }.joined(separator: "-")
    }

    /// 32 bytes.
    package var hash: [UInt8] { SHA256.hash("recovery:" + digits) }

    package var description: String { "[secret]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
