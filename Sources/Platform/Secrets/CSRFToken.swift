// The token that proves that a form comes from our own page (S12).

/// Each response shows it under another mask, so that a compressed page never repeats it and its length reveals nothing of
/// it (BREACH).
package struct CSRFToken: Sendable {
    private static let length = 32

    private let secret: [UInt8]

    /// Derived one way from a secret of the session.
    package init(of text: String) {
        secret = SHA256.hash(Array("csrf:\(text)".utf8))
    }

    /// A new mask and the masked token: 86 characters of base64url.
    package func masked() -> String {
        let mask = SecureRandom.bytes(Self.length)
        return Base64.encode(mask + Self.combined(mask, secret), .url)
    }

    /// Whether `text` is the token under any mask, in constant time.
    package func matches(_ text: String) -> Bool {
        guard let bytes = Base64.decode(text, .url), bytes.count == 2 * Self.length else { return false }
        return ConstantTime.equal(
            Self.combined(Array(bytes[..<Self.length]), Array(bytes[Self.length...])), secret)
    }

    private static func combined(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        zip(left, right).map { $0 ^ $1 }
    }
}
