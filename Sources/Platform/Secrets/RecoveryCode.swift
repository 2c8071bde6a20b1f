// Codes on paper for who has lost the authenticator: each lets in once, and only its hash is stored.

/// 80 random bits, which nobody guesses even from the hash: a fast one is enough.
package struct RecoveryCode: Sendable, CustomStringConvertible, CustomReflectable {
    /// How many a person gets.
    package static let many = 10
    private static let length = 16

    private let digits: String

    package static func make() -> RecoveryCode { RecoveryCode(digits: Base32.encode(SecureRandom.bytes(10))) }

    private init(digits: String) {
        self.digits = digits
    }

    /// Reads what somebody typed: blanks, hyphens and small letters do no harm, nor a 0 for an O or a 1 for an I. Nil unless
    /// it has the length of a code.
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

    /// As it is shown, in fours.
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
